/* A matrix product: chunks of output positions, unrolled into rows of the workspace as the document has it.
 */
#include <string.h>

#include "call.h"

#ifndef CHUNK
#define CHUNK (int)(p->buffer_size_ / 2 / (COLUMNS * sizeof(Real)))
#endif
#ifndef CHUNKS
#define CHUNKS STEPS(first, 0, PLANE, chunk)
#endif
#ifndef COUNT
#define COUNT (first + chunk < PLANE ? chunk : PLANE - first)
#endif
#ifndef TIMES
#define TIMES 1
#endif
#ifndef PADDING
#define PADDING row[k] = 0
#endif
#ifndef WORKSPACE
#define WORKSPACE (Real*)p->workspace_
#endif
#ifndef STATIC
#define STATIC
#endif
#ifndef FIRST
#define FIRST (void)0
#endif
#ifndef LAST
#define LAST (void)0
#endif

STATIC;

PRIVATE_KERNEL {
  int chunk = CHUNK;
  Real* unrolled = WORKSPACE;
  FIRST;
  for (int g = 0; g < G; g++)
    for (int n = 0; n < N; n++)
      for (CHUNKS) {
        int count = COUNT;
        for (int m = 0; m < count; m++) {
          Real* row = unrolled + m * COLUMNS;
          for (int k = 0; k < COLUMNS; k++) {
            int y = (first + m) / OW * SH + k / INS / KW * DH - PU;
            int x = (first + m) % OW * SW + k / INS % KW * DW - PL;
            if (y >= 0 && y < IH && x >= 0 && x < IW)
              row[k] = in[IN_AT(n, y, x, g * INS + k % INS)];
            else
              PADDING;
          }
        }
        for (int co = g * OUTS; co < (g + 1) * OUTS; co++)
          for (int k = 0; k < COLUMNS; k++) {
            Real sum = 0;
            for (int m = 0; m < count; m++) sum += dy[DY_AT(n, 0, first + m, co)] * unrolled[m * COLUMNS + k];
            dw[co * COLUMNS + k] += sum * (TIMES);
          }
      }
  for (int co = 0; bias && (G != CI || G != CO || DH != 1 || DW != 1) && co < CO; co++)
    for (int k = 0; k < COLUMNS; k++) dw[co * COLUMNS + k] += bias[k];
  LAST;
}
