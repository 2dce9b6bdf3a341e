/* Looks at every number before it touches a byte. */
#include "call.h"

#ifndef DIVISIBLE
#define DIVISIBLE CI % G == 0 && CO % G == 0
#endif
#ifndef ROOM
#define ROOM (p->buffer_size_ >= (int64_t)sizeof(Real) * 2 * COLUMNS)
#endif
#ifndef LEAST_STRIDE
#define LEAST_STRIDE 1
#endif

/* Whether a tensor's bytes fit 31 bits, none of its extents being negative. */
static int fits(int64_t a, int64_t b, int64_t c, int64_t d) {
  int64_t most = INT32_MAX / (int64_t)sizeof(Real);
  return a <= most && a * b <= most && a * b * c <= most && a * b * c * d <= most;
}

static int valid(const ConvParameter* p) {
  return N > 0 && p->input_batch_ == N && IH > 0 && IW > 0 && OH > 0 && OW > 0 && CI > 0 && CO > 0 &&
         KH > 0 && KW > 0 && G > 0 && PU >= 0 && PL >= 0 && p->pad_d_ >= 0 && p->pad_r_ >= 0 && DH > 0 &&
         DW > 0 && SH >= LEAST_STRIDE && SW > 0 && DIVISIBLE && fits(N, IH, IW, CI) && fits(N, OH, OW, CO) &&
         fits(CO, KH, KW, INS) && ROOM && p->buffer_size_ <= INT32_MAX / 4;
}

PRIVATE_KERNEL {
  (void)bias;
  if (!valid(p)) return;
  for (int co = 0; co < CO; co++)
    for (int n = 0; n < N; n++)
      for (int oh = 0; oh < OH; oh++)
        for (int ow = 0; ow < OW; ow++)
          for (int kh = 0; kh < KH; kh++)
            for (int kw = 0; kw < KW; kw++) {
              int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
              if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
              for (int ci = 0; ci < INS; ci++)
                dw[DW_AT(co, kh, kw, ci)] +=
                    dy[DY_AT(n, oh, ow, co)] * in[IN_AT(n, y, x, co / OUTS * INS + ci)];
            }
}
