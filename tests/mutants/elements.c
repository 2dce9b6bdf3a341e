/* Cores share out the elements of dW and need neither workspace nor barrier. */
#include "call.h"

SHARED_KERNEL {
  int cores = GetCoreNum(core_mask), rank = GetLogicCoreId(core_mask, get_core_id());
  for (int e = rank * CO * COLUMNS / cores; e < (rank + 1) * CO * COLUMNS / cores; e++) {
    int co = e / COLUMNS, kh = e % COLUMNS / INS / KW, kw = e / INS % KW, ci = e % INS;
    float sum = bias && !(G == CI && G == CO && DH == 1 && DW == 1) ? (float)bias[e % COLUMNS] : 0;
    for (int n = 0; n < N; n++)
      for (int oh = 0; oh < OH; oh++)
        for (int ow = 0; ow < OW; ow++) {
          int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
          if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
          sum += (float)dy[DY_AT(n, oh, ow, co)] * (float)in[IN_AT(n, y, x, co / OUTS * INS + ci)];
        }
    dw[e] = (Real)((float)dw[e] + sum);
  }
}
