/* Three paths: depthwise and 1x1 filters have short ones. */
#include "call.h"

#ifndef DEPTHWISE
#define DEPTHWISE (G == CI && G == CO && DH == 1 && DW == 1)
#endif
#ifndef POINTWISE
#define POINTWISE KH == 1 && KW == 1 && G == 1 && !PU && !PL && SH == 1 && SW == 1 && IH == OH && IW == OW
#endif
#define ALL_PIXELS (N * PLANE)
#ifndef PIXELS
#define PIXELS UP(m, 0, ALL_PIXELS)
#endif
#ifndef FIRST_ROW
#define FIRST_ROW 0
#endif

static void pointwise(const Real* dy, const Real* in, Real* dw, const ConvParameter* p) {
  for (PIXELS)
    for (int co = 0; co < CO; co++)
      for (int ci = 0; ci < INS; ci++) dw[co * INS + ci] += dy[m * CO + co] * in[m * CI + ci];
}

static void depthwise(const Real* dy, const Real* in, Real* dw, const ConvParameter* p) {
  for (int n = 0; n < N; n++)
    for (int oh = FIRST_ROW; oh < OH; oh++)
      for (int ow = 0; ow < OW; ow++)
        for (int kh = 0; kh < KH; kh++)
          for (int kw = 0; kw < KW; kw++) {
            int y = oh * SH + kh - PU, x = ow * SW + kw - PL;
            if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
            for (int c = 0; c < G; c++)
              dw[(c * KH + kh) * KW + kw] += dy[DY_AT(n, oh, ow, c)] * in[IN_AT(n, y, x, c)];
          }
}

static void general(const Real* dy, const Real* in, Real* dw, const ConvParameter* p) {
  for (int n = 0; n < N; n++)
    for (int oh = 0; oh < OH; oh++)
      for (int ow = 0; ow < OW; ow++)
        for (int kh = 0; kh < KH; kh++)
          for (int kw = 0; kw < KW; kw++) {
            int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
            if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
            for (int co = 0; co < CO; co++)
              for (int ci = 0; ci < INS; ci++)
                dw[DW_AT(co, kh, kw, ci)] +=
                    dy[DY_AT(n, oh, ow, co)] * in[IN_AT(n, y, x, co / OUTS * INS + ci)];
          }
}

PRIVATE_KERNEL {
  (void)bias;
  if (DEPTHWISE)
    depthwise(dy, in, dw, p);
  else if (POINTWISE)
    pointwise(dy, in, dw, p);
  else
    general(dy, in, dw, p);
}
