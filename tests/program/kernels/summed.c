/* A right kernel that lists the products of each element and adds them up by the tree that a macro names: SEQUENTIAL,
   REVERSED, PAIRWISE, BLOCKED=16, LANES=4 (interleaved), SHARES=4 (one after another). ACC is the type of sums, Real that
   of elements; CHUNKED rounds the running sum to Real after each chunk. */
#include <fenv.h>
#include <stdlib.h>

#ifdef HALF
typedef float16 Real;
#define KERNEL hp_conv_grad_filter_p
#else
typedef float Real;
#define KERNEL fp_conv_grad_filter_p
#endif
#ifndef ACC
#define ACC float
#endif

static ACC sum_of(const ACC *terms, int count) {
#if defined(PAIRWISE)
    if (count == 0) return 0;
    return count == 1 ? terms[0] : sum_of(terms, count / 2) + sum_of(terms + count / 2, count - count / 2);
#elif defined(BLOCKED)
    ACC sum = 0;
    for (int first = 0; first < count; first += BLOCKED) {
        ACC block = 0;
        for (int i = first; i < first + BLOCKED && i < count; i++) block += terms[i];
        sum += block;
    }
    return sum;
#elif defined(LANES)
    ACC lanes[LANES] = {0}, sum = 0;
    for (int i = 0; i < count; i++) lanes[i % LANES] += terms[i];
    for (int i = 0; i < LANES; i++) sum += lanes[i];
    return sum;
#elif defined(SHARES)
    ACC sum = 0;
    for (int share = 0; share < SHARES; share++) {
        ACC part = 0;
        for (int i = count * share / SHARES; i < count * (share + 1) / SHARES; i++) part += terms[i];
        sum += part;
    }
    return sum;
#elif defined(REVERSED)
    ACC sum = 0;
    for (int i = count - 1; i >= 0; i--) sum += terms[i];
    return sum;
#else
    ACC sum = 0;
    for (int i = 0; i < count; i++) sum += terms[i];
    return sum;
#endif
}

void KERNEL(Real *dy, Real *in, Real *dw, Real *bias, ConvParameter *p) {
    int ins = p->input_channel_ / p->group_, outs = p->output_channel_ / p->group_;
    int plane = p->output_h_ * p->output_w_, row = p->kernel_h_ * p->kernel_w_ * ins;
    int chunk = p->buffer_size_ / 2 / (row * (int)sizeof(Real));
    ACC *terms = malloc(sizeof(ACC) * p->output_batch_ * plane);
    (void)bias, (void)chunk;
#ifdef OVERREAD
    Real *end = in + p->input_batch_ * p->input_h_ * p->input_w_ * p->input_channel_;
    (void)((volatile char *)end)[OVERREAD - 1];
#endif
#ifdef ALIGNED
    typedef float Vector __attribute__((vector_size(16)));
    if (p->input_batch_ * p->input_h_ * p->input_w_ * p->input_channel_ >= 4) (void)*(volatile Vector *)in;
#endif
#ifdef TOWARD_ZERO
    int before = fegetround();
    fesetround(FE_TOWARDZERO);
#endif
    for (int e = 0; e < p->output_channel_ * row; e++) {
        int ci = e % ins, kw = e / ins % p->kernel_w_, kh = e / ins / p->kernel_w_ % p->kernel_h_, co = e / row, count = 0;
        ACC sum = 0;
        for (int n = 0; n < p->output_batch_; n++)
            for (int m = 0; m < plane; m++) {
                int y = m / p->output_w_ * p->stride_h_ + kh * p->dilation_h_ - p->pad_u_;
                int x = m % p->output_w_ * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
                if (y >= 0 && y < p->input_h_ && x >= 0 && x < p->input_w_)
                    terms[count++] =
                        (ACC)dy[(n * plane + m) * p->output_channel_ + co] *
                        (ACC)in[((n * p->input_h_ + y) * p->input_w_ + x) * p->input_channel_ + co / outs * ins + ci];
#ifdef CHUNKED
                if ((m + 1) % chunk == 0 || m + 1 == plane) {
                    dw[e] = (Real)((ACC)dw[e] + sum_of(terms, count));
                    count = 0;
                }
#endif
            }
        sum = sum_of(terms, count);
        dw[e] = (Real)((ACC)dw[e] + sum);
    }
#ifdef TOWARD_ZERO
    fesetround(before);
#endif
    free(terms);
}
