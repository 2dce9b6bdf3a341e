/* Every core sums a share of the images into a partial of its own, in float; then each reduces a share of dW.
 */
#include "call.h"

#ifndef RANK
#define RANK GetLogicCoreId(core_mask, get_core_id())
#endif
#ifndef CORES
#define CORES GetCoreNum(core_mask)
#endif
#ifndef LAST_IMAGE
#define LAST_IMAGE (rank + 1) * N / cores
#endif
#ifndef PARTIAL
#define PARTIAL (partials + elems * (core))
#endif
#ifndef CLEAR
#define CLEAR mine[e] = 0
#endif
#ifndef MEET
#define MEET sys_bar(0, cores)
#endif
#ifndef PART_OF_DW
#define PART_OF_DW STEPS(e, rank, elems, cores)
#endif
#ifndef BIAS
#define BIAS bias && !(G == CI && G == CO && DH == 1 && DW == 1) ? bias[e % COLUMNS] : 0
#endif
#ifndef PARTIALS_ADDED
#define PARTIALS_ADDED UP(core, 0, cores)
#endif

SHARED_KERNEL {
  int cores = CORES, rank = RANK, elems = CO * COLUMNS;
  float* partials = p->workspace_;
  int core = rank;
  float* mine = PARTIAL;
  for (int e = 0; e < elems; e++) CLEAR;
  for (int n = rank * N / cores; n < LAST_IMAGE; n++)
    for (int oh = 0; oh < OH; oh++)
      for (int ow = 0; ow < OW; ow++)
        for (int kh = 0; kh < KH; kh++)
          for (int kw = 0; kw < KW; kw++) {
            int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
            if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
            for (int co = 0; co < CO; co++)
              for (int ci = 0; ci < INS; ci++)
                mine[DW_AT(co, kh, kw, ci)] +=
                    (float)dy[DY_AT(n, oh, ow, co)] * (float)in[IN_AT(n, y, x, co / OUTS * INS + ci)];
          }
  MEET;
  for (PART_OF_DW) {
    float sum = (float)(BIAS);
    for (PARTIALS_ADDED) sum += PARTIAL[e];
    dw[e] = (Real)((float)dw[e] + sum);
  }
}
