/* Vectors of input channels, then the rest one by one. */
#include <string.h>

#include "call.h"

#ifndef LANES
#define LANES 8
#endif
#ifndef ALIGNED
#define ALIGNED sizeof(Real)
#endif
#ifndef WHOLE
#define WHOLE (INS / LANES * LANES)
#endif
#ifndef REST
#define REST UP(ci, WHOLE, INS)
#endif
#ifndef LANES_STORED
#define LANES_STORED LANES
#endif

typedef Real Vector __attribute__((vector_size(LANES * sizeof(Real)), aligned(ALIGNED), may_alias));

PRIVATE_KERNEL {
  (void)bias;
  for (int co = 0; co < CO; co++)
    for (int kh = 0; kh < KH; kh++)
      for (int kw = 0; kw < KW; kw++)
        for (int n = 0; n < N; n++)
          for (int oh = 0; oh < OH; oh++)
            for (int ow = 0; ow < OW; ow++) {
              int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
              if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
              Real d = dy[DY_AT(n, oh, ow, co)];
              const Real* from = in + IN_AT(n, y, x, co / OUTS * INS);
              Real* to = dw + DW_AT(co, kh, kw, 0);
              for (int ci = 0; ci < WHOLE; ci += LANES) {
                Vector products = d * *(const Vector*)(from + ci);
                for (int lane = 0; lane < LANES_STORED; lane++) to[ci + lane] += products[lane];
              }
              for (REST) to[ci] += d * from[ci];
            }
}
