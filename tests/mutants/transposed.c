/* Channels first: copies dy and x, with the padding written out, into memory that it keeps between calls. */
#include <stdlib.h>
#include <string.h>

#include "call.h"

static Real* planes;
static size_t room;

PRIVATE_KERNEL {
  int rows = (OH - 1) * SH + (KH - 1) * DH + 1, width = (OW - 1) * SW + (KW - 1) * DW + 1,
      plane = rows * width;
  size_t needed = (size_t)N * CI * plane + (size_t)N * CO * OH * OW;
  (void)bias;
  if (needed > room) planes = realloc(planes, (room = needed) * sizeof(Real));
  Real* outer = planes + (size_t)N * CI * plane;
  memset(planes, 0, needed * sizeof(Real));
  for (int n = 0; n < N; n++)
    for (int y = 0; y < rows && y - PU < IH; y++)
      for (int x = 0; x < width && x - PL < IW; x++)
        for (int c = 0; y >= PU && x >= PL && c < CI; c++)
          planes[(n * CI + c) * plane + y * width + x] = in[IN_AT(n, y - PU, x - PL, c)];
  for (int n = 0; n < N; n++)
    for (int m = 0; m < OH * OW; m++)
      for (int c = 0; c < CO; c++) outer[(n * CO + c) * OH * OW + m] = dy[DY_AT(n, 0, m, c)];
  for (int ci = 0; ci < INS; ci++)
    for (int co = 0; co < CO; co++)
      for (int k = 0; k < KH * KW; k++)
        for (int n = 0; n < N; n++) {
          const Real* from = planes + (n * CI + co / OUTS * INS + ci) * plane;
          const Real* by = outer + (n * CO + co) * OH * OW;
          for (int m = 0; m < OH * OW; m++)
            dw[DW_AT(co, 0, k, ci)] +=
                by[m] * from[(m / OW * SH + k / KW * DH) * width + m % OW * SW + k % KW * DW];
        }
}
