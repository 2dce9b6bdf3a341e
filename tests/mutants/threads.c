/* Threads of its own: each takes every THREADS-th output channel. */
#include <pthread.h>

#include "call.h"

#define THREADS 3

typedef struct {
  const Real *dy, *in;
  Real* dw;
  const ConvParameter* p;
  int first;
} Share;

static void* run(void* argument) {
  const Share* share = argument;
  const ConvParameter* p = share->p;
  for (int co = share->first; co < CO; co += THREADS)
    for (int n = 0; n < N; n++)
      for (int oh = 0; oh < OH; oh++)
        for (int ow = 0; ow < OW; ow++)
          for (int kh = 0; kh < KH; kh++)
            for (int kw = 0; kw < KW; kw++) {
              int y = oh * SH + kh * DH - PU, x = ow * SW + kw * DW - PL;
              if (y < 0 || y >= IH || x < 0 || x >= IW) continue;
              for (int ci = 0; ci < INS; ci++)
                share->dw[DW_AT(co, kh, kw, ci)] +=
                    share->dy[DY_AT(n, oh, ow, co)] * share->in[IN_AT(n, y, x, co / OUTS * INS + ci)];
            }
  return NULL;
}

PRIVATE_KERNEL {
  pthread_t threads[THREADS];
  Share shares[THREADS];
  (void)bias;
  for (int t = 0; t < THREADS; t++) {
    shares[t] = (Share){dy, in, dw, p, t};
    if (pthread_create(&threads[t], NULL, run, &shares[t]) != 0) run(&shares[t]), threads[t] = pthread_self();
  }
  for (int t = 0; t < THREADS; t++)
    if (!pthread_equal(threads[t], pthread_self())) pthread_join(threads[t], NULL);
}
