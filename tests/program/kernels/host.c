/* Weight gradient in 2D and 3D behind wgrad_kernel.h, one product after another. It overwrites dw and needs a
   workspace only to show what happens past its end: with SLIP, where it is to use several threads. With BF16
   its elements are bfloat16; with SLIP_DILATION_D the depth's dilation is left out. */
#include <string.h>

#include "wgrad_kernel.h"

int64_t wgrad_kernel_workspace(const wgrad_problem *p, char text[WGRAD_TEXT]) {
    strcpy(text, p->accumulate ? "it overwrites dw" : "loops");
    return p->accumulate ? -1 : 64;
}

#ifdef BF16
typedef uint16_t Real;
static float load(Real element) {
    uint32_t bits = (uint32_t)element << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static Real rounded(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (Real)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#else
typedef float Real;
static float load(Real element) { return element; }
static Real rounded(float value) { return value; }
#endif

static int64_t at(const wgrad_axis *a, int64_t out, int64_t tap) {
    int64_t in = out * a->stride + tap * a->dilation - a->pad_before;
    return in < a->input ? in : -1;
}

int wgrad_kernel(const wgrad_problem *p, const void *dys, const void *xs, void *dws, void *workspace) {
    const Real *dy = dys, *x = xs;
    Real *dw = dws;
    wgrad_axis depth = p->depth;
    const wgrad_axis *d = &depth, *h = &p->height, *w = &p->width;
    int64_t outs = p->out_channels / p->groups, ins = p->in_channels / p->groups, i = 0;
#ifdef SLIP
    if (p->threads > 1) ((float *)workspace)[16] = 0;
#endif
#ifdef SLIP_DILATION_D
    depth.dilation = 1;
#endif
    (void)workspace;
    for (int64_t co = 0; co < p->out_channels; co++)
        for (int64_t kd = 0; kd < d->kernel; kd++)
            for (int64_t kh = 0; kh < h->kernel; kh++)
                for (int64_t kw = 0; kw < w->kernel; kw++)
                    for (int64_t ci = 0; ci < ins; ci++, i++) {
                        float sum = 0;
                        for (int64_t n = 0; n < p->batch; n++)
                            for (int64_t od = 0; od < d->output; od++)
                                for (int64_t oh = 0; oh < h->output; oh++)
                                    for (int64_t ow = 0; ow < w->output; ow++) {
                                        int64_t z = at(d, od, kd), y = at(h, oh, kh), c = at(w, ow, kw);
                                        int64_t out = ((n * d->output + od) * h->output + oh) * w->output + ow;
                                        int64_t in = ((n * d->input + z) * h->input + y) * w->input + c;
                                        if (z >= 0 && y >= 0 && c >= 0)
                                            sum += load(dy[out * p->out_channels + co]) *
                                                   load(x[in * p->in_channels + co / outs * ins + ci]);
                                    }
                        dw[i] = rounded(sum);
                    }
    return 0;
}
