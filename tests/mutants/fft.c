/* Small problems by Fourier transforms of whole planes, in float; others by the definition. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "call.h"

#ifndef TAP_ROW
#define TAP_ROW kh* DH
#endif

typedef float complex Wave;

/* In place, of a length that is a power of two; direction -1 or, without the scale, 1. */
static void transform(Wave* a, int length, int direction) {
  for (int i = 1, j = 0; i < length; i++) {
    int bit = length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      Wave other = a[i];
      a[i] = a[j];
      a[j] = other;
    }
  }
  for (int half = 1; half < length; half *= 2)
    for (int k = 0; k < half; k++) {
      double angle = direction * 3.14159265358979323846 * k / half;
      Wave turn = (float)cos(angle) + (float)sin(angle) * I;
      for (int i = k; i < length; i += 2 * half) {
        Wave odd = turn * a[i + half];
        a[i + half] = a[i] - odd;
        a[i] += odd;
      }
    }
}

static int most(int a, int b) { return a > b ? a : b; }

/* Positions of a row, or rows, that both planes and every lag fit in. */
static int extent(int in, int out, int taps, int stride, int dilation, int pad) {
  return most(in + most(pad, 0), (out - 1) * stride + (taps - 1) * dilation + 1);
}

/* One input and one output channel: all taps. */
static void plane(const Real* dy, const Real* in, Real* dw, const ConvParameter* p, int co, int ci, Wave* x,
                  Wave* d, Wave* sum, int columns, int length) {
  int from = co / OUTS * INS + ci;
  for (int i = 0; i < length; i++) sum[i] = 0;
  for (int n = 0; n < N; n++) {
    for (int i = 0; i < length; i++) x[i] = d[i] = 0;
    for (int y = most(-PU, 0); y < IH; y++)
      for (int c = most(-PL, 0); c < IW; c++)
        if (c + PL < columns && (y + PU) * columns + c + PL < length)
          x[(y + PU) * columns + c + PL] = in[IN_AT(n, y, c, from)];
    for (int oh = 0; oh < OH; oh++)
      for (int ow = 0; ow < OW; ow++) d[oh * SH * columns + ow * SW] = dy[DY_AT(n, oh, ow, co)];
    transform(x, length, -1);
    transform(d, length, -1);
    for (int i = 0; i < length; i++) sum[i] += x[i] * conjf(d[i]);
  }
  transform(sum, length, 1);
  for (int kh = 0; kh < KH; kh++)
    for (int kw = 0; kw < KW; kw++)
      dw[DW_AT(co, kh, kw, ci)] += crealf(sum[TAP_ROW * columns + kw * DW]) / (float)length;
}

static float one_tap(const Real* dy, const Real* in, const ConvParameter* p, int co, int kh, int kw, int ci) {
  float sum = 0;
  for (int n = 0; n < N; n++)
    for (int oh = 0; oh < OH; oh++)
      for (int ow = 0; ow < OW; ow++) {
        int y = oh * SH + TAP_ROW - PU, x = ow * SW + kw * DW - PL;
        if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
        sum += dy[DY_AT(n, oh, ow, co)] * in[IN_AT(n, y, x, co / OUTS * INS + ci)];
      }
  return sum;
}

PRIVATE_KERNEL {
  (void)bias;
  int columns = extent(IW, OW, KW, SW, DW, PL);
  long long needed = (long long)columns * extent(IH, OH, KH, SH, DH, PU);
  int length = 1;
  while (length < needed && length < 1 << 20) length *= 2;
  int small = (long long)length * N * CO * INS <= 1 << 18;
  Wave* waves = small ? malloc(3 * sizeof(Wave) * (size_t)length) : NULL;
  for (int co = 0; co < CO; co++)
    for (int ci = 0; ci < INS; ci++)
      if (small)
        plane(dy, in, dw, p, co, ci, waves, waves + length, waves + 2 * length, columns, length);
      else
        for (int kh = 0; kh < KH; kh++)
          for (int kw = 0; kw < KW; kw++) dw[DW_AT(co, kh, kw, ci)] += one_tap(dy, in, p, co, kh, kw, ci);
  free(waves);
}
