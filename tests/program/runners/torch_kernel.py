"""PyTorch's conv2d_weight as a kernel, by the 2D convention mt7004_fp32_p; folders on standard input."""

import json
import os
import sys

import numpy as np
import torch
from torch.nn.grad import conv2d_weight

torch.set_num_threads(1)


def run(folder):
    with open(os.path.join(folder, "case.json")) as f:
        case = json.load(f)
    h, w = case["height"], case["width"]
    x, dy, dw = (torch.from_numpy(np.load(os.path.join(folder, n))) for n in ("x.npy", "dy.npy", "dw_in.npy"))
    x, dy = x.permute(0, 3, 1, 2), dy.permute(0, 3, 1, 2)
    # Both pads may differ; a negative one after the input stands for rows that no tap reads.
    x = torch.nn.functional.pad(x, [max(a[p], 0) for a in (w, h) for p in ("pad_before", "pad_after")])
    used = [a["pad_before"] + a["input"] + a["pad_after"] for a in (h, w)]
    x = x[:, :, :used[0], :used[1]]
    size = (case["out_channels"], case["in_channels"] // case["groups"], h["kernel"], w["kernel"])
    found = conv2d_weight(x, size, dy, stride=(h["stride"], w["stride"]), padding=0,
                          dilation=(h["dilation"], w["dilation"]), groups=case["groups"])
    np.save(os.path.join(folder, "dw.npy"), (dw + found.permute(0, 2, 3, 1).reshape(dw.shape)).numpy())


for line in sys.stdin:
    run(line.rstrip("\n"))
    print("ok", flush=True)
