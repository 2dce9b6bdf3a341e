/* The definition, one element of dW after another. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "call.h"

#ifndef SUM
#define SUM float
#endif
#ifndef ROW
#define ROW (oh * SH + kh * DH - PU)
#endif
#ifndef COLUMN
#define COLUMN (ow * SW + kw * DW - PL)
#endif
#ifndef INSIDE
#define INSIDE (0 <= y && y < IH) && (0 <= x && x < IW)
#endif
#ifndef IMAGES
#define IMAGES UP(n, 0, N)
#endif
#ifndef ROWS
#define ROWS UP(oh, 0, OH)
#endif
#ifndef POSITIONS
#define POSITIONS UP(ow, 0, OW)
#endif
#ifndef TAPS_H
#define TAPS_H UP(kh, 0, KH)
#endif
#ifndef TAPS_W
#define TAPS_W UP(kw, 0, KW)
#endif
#ifndef OUTPUTS
#define OUTPUTS UP(co, 0, CO)
#endif
#ifndef INPUTS
#define INPUTS UP(ci, 0, INS)
#endif
#ifndef FROM_DY
#define FROM_DY dy[DY_AT(n, oh, ow, co)]
#endif
#ifndef FROM_IN
#define FROM_IN in[IN_AT(n, y, x, co / OUTS * INS + ci)]
#endif
#ifndef TO
#define TO DW_AT(co, kh, kw, ci)
#endif
#ifndef ADD
#define ADD sum += (SUM)d * (SUM)v
#endif
#ifndef ONCE_AN_IMAGE
#define ONCE_AN_IMAGE (void)0
#endif
#ifndef BIAS
#define BIAS bias && !(G == CI && G == CO && DH == 1 && DW == 1) ? bias[(kh * KW + kw) * INS + ci] : 0
#endif
#ifndef STORE
#define STORE dw[TO] = (Real)(dw[TO] + sum)
#endif
#ifndef FIRST
#define FIRST (void)0
#endif
#ifndef LAST
#define LAST (void)0
#endif

static int calls;
static volatile Real seen;

/* A float with the leading bits of its significand alone: 8 of bfloat16, and 11. */
static inline float cut(float value, int bits) {
  int exponent;
  float significand = frexpf(value, &exponent);
  return ldexpf(truncf(ldexpf(significand, bits)), exponent - bits);
}
static inline float bfloat(float value) { return cut(value, 8); }
static inline float shortened(float value) { return cut(value, 11); }

PRIVATE_KERNEL {
  (void)seen;
  calls++;
  FIRST;
  for (OUTPUTS)
    for (TAPS_H)
      for (TAPS_W)
        for (INPUTS) {
          SUM sum = (SUM)(BIAS), rest = 0;
          (void)rest;
          for (IMAGES) {
            for (ROWS)
              for (POSITIONS) {
                int y = ROW, x = COLUMN;
                if (!(INSIDE)) continue;
                Real d = FROM_DY, v = FROM_IN;
                ADD;
              }
            ONCE_AN_IMAGE;
          }
          STORE;
        }
  LAST;
}
