/* The products of an element in a list of the kernel's own, summed by halves: recursion and memory from
 * malloc. */
#include <stdlib.h>

#include "call.h"

static Real sum_of(const Real* terms, int count) {
  if (count < 3) return count == 0 ? 0 : count == 1 ? terms[0] : terms[0] + terms[1];
  return sum_of(terms, count / 2) + sum_of(terms + count / 2, count - count / 2);
}

PRIVATE_KERNEL {
  Real* terms = malloc(sizeof(Real) * N * OH * OW);
  (void)bias;
  for (int co = 0; co < CO; co++)
    for (int kh = 0; kh < KH; kh++)
      for (int kw = 0; kw < KW; kw++)
        for (int ci = 0; ci < INS; ci++) {
          int count = 0;
          for (int m = 0; m < N * OH * OW; m++) {
            int y = m / OW % OH * SH + kh * DH - PU, x = m % OW * SW + kw * DW - PL;
            if (y >= 0 && y < IH && x >= 0 && x < IW)
              terms[count++] = dy[m * CO + co] * in[IN_AT(m / OW / OH, y, x, co / OUTS * INS + ci)];
          }
          dw[DW_AT(co, kh, kw, ci)] += sum_of(terms, count);
        }
  free(terms);
}
