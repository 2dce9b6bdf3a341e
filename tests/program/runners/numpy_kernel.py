"""A kernel in NumPy, behind the folders of check/remote/README.md.

    numpy_kernel.py FOLDER...    one launch, any number of cases
    numpy_kernel.py              folders on standard input, an answer a line

WRONG=dilation_h leaves dilation_h out. COUNT=FILE gets a byte a launch.
"""

import json
import os
import sys

import numpy as np

WRONG = os.environ.get("WRONG", "")


def taps(axis, r, dilation):
    """The outputs that meet tap r inside the input, and the inputs that they read."""
    p = np.arange(axis["output"])
    i = p * axis["stride"] + r * dilation - axis["pad_before"]
    inside = (i >= 0) & (i < axis["input"])
    return p[inside], i[inside]


def load(folder, name, case):
    a = np.load(os.path.join(folder, name))
    if case["dtype"] == "bf16":
        return (a.astype(np.uint32) << 16).view(np.float32)
    return a.astype(np.float32)


def bf16(a):
    bits = a.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def dw_of(case, x, dy, dw):
    n, groups = case["batch"], case["groups"]
    axes = [case["depth"], case["height"], case["width"]]
    x = x.reshape([n] + [a["input"] for a in axes] + [groups, -1])
    dy = dy.reshape([n] + [a["output"] for a in axes] + [groups, -1])
    shape = dw.shape
    dw = dw.reshape([groups, dy.shape[-1]] + [a["kernel"] for a in axes] + [x.shape[-1]])
    if not case["accumulate"]:
        dw = np.zeros_like(dw)
    dilations = [a["dilation"] for a in axes]
    if WRONG == "dilation_h":
        dilations[1] = 1
    for kd in range(axes[0]["kernel"]):
        for kh in range(axes[1]["kernel"]):
            for kw in range(axes[2]["kernel"]):
                met = [taps(a, r, d) for a, r, d in zip(axes, (kd, kh, kw), dilations)]
                if any(len(p) == 0 for p, _ in met):
                    continue
                some_dy = dy[:, met[0][0]][:, :, met[1][0]][:, :, :, met[2][0]]
                some_x = x[:, met[0][1]][:, :, met[1][1]][:, :, :, met[2][1]]
                dw[:, :, kd, kh, kw, :] += np.einsum("ndhwgo,ndhwgi->goi", some_dy, some_x)
    return dw.reshape(shape)


def run(folder):
    with open(os.path.join(folder, "case.json")) as f:
        case = json.load(f)
    x, dy, dw = (load(folder, name, case) for name in ("x.npy", "dy.npy", "dw_in.npy"))
    dw = dw_of(case, x, dy, dw)
    dw = bf16(dw) if case["dtype"] == "bf16" else dw.astype(np.float16 if case["dtype"] == "f16" else np.float32)
    np.save(os.path.join(folder, "dw.npy"), np.ascontiguousarray(dw))


def main():
    if "COUNT" in os.environ:
        with open(os.environ["COUNT"], "a") as f:
            f.write(".")
    for folder in sys.argv[1:]:
        run(folder)
    if len(sys.argv) == 1:
        for line in sys.stdin:
            run(line.rstrip("\n"))
            print("ok", flush=True)


main()
