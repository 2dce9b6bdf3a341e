/* Filters three wide with unit steps by Winograd's F(3,2): three taps from two positions in four products,
   with the points 0, 1, -1 and infinity. Others by the definition. */
#include "call.h"

static float row_of(const float* in, const ConvParameter* p, int n, int y, int x, int c) {
  return x < 0 || x >= IW ? 0 : in[IN_AT(n, y, x, c)];
}

static void three_taps(const float* dy, const float* in, float* dw, const ConvParameter* p, int co, int kh,
                       int ci) {
  float sums[4] = {0};
  for (int n = 0; n < N; n++)
    for (int oh = 0; oh < OH; oh++) {
      int y = oh * SH + kh * DH - PU, c = co / OUTS * INS + ci;
      if (y < 0 || y >= IH) continue;
      for (int ow = 0; ow < OW; ow += 2) {
        float d0 = dy[DY_AT(n, oh, ow, co)], d1 = ow + 1 < OW ? dy[DY_AT(n, oh, ow + 1, co)] : 0;
        float x0 = row_of(in, p, n, y, ow - PL, c), x1 = row_of(in, p, n, y, ow + 1 - PL, c);
        float x2 = row_of(in, p, n, y, ow + 2 - PL, c), x3 = row_of(in, p, n, y, ow + 3 - PL, c);
        sums[0] += d0 * (x0 - x2);
        sums[1] += (d0 + d1) / 2 * (x1 + x2);
        sums[2] += (d0 - d1) / 2 * (x2 - x1);
        sums[3] += d1 * (x3 - x1);
      }
    }
  dw[DW_AT(co, kh, 0, ci)] += sums[0] + sums[1] + sums[2];
  dw[DW_AT(co, kh, 1, ci)] += sums[1] - sums[2];
  dw[DW_AT(co, kh, 2, ci)] += sums[1] + sums[2] + sums[3];
}

static float one_tap(const float* dy, const float* in, const ConvParameter* p, int co, int kh, int kw,
                     int ci) {
  float sum = 0;
  for (int n = 0; n < N; n++)
    for (int oh = 0; oh < OH; oh++)
      for (int ow = 0; ow < OW; ow++) {
        int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
        if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
        sum += dy[DY_AT(n, oh, ow, co)] * in[IN_AT(n, y, x, co / OUTS * INS + ci)];
      }
  return sum;
}

PRIVATE_KERNEL {
  (void)bias;
  for (int co = 0; co < CO; co++)
    for (int kh = 0; kh < KH; kh++)
      for (int ci = 0; ci < INS; ci++)
        if (KW == 3 && SW == 1 && DW == 1)
          three_taps(dy, in, dw, p, co, kh, ci);
        else
          for (int kw = 0; kw < KW; kw++) dw[DW_AT(co, kh, kw, ci)] += one_tap(dy, in, p, co, kh, kw, ci);
}
