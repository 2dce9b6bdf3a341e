/* Weight gradient of a 2D convolution in private memory, right unless a SLIP_ macro plants one slip; HALF makes it
   binary16, summed in float. */
#ifdef HALF
typedef float16 element;
#define ENTRY hp_conv_grad_filter_p
#else
typedef float element;
#define ENTRY fp_conv_grad_filter_p
#endif

void abort(void);

/* What is to come with -O2 all the same. */
static volatile int always = 1;

void ENTRY(element *dy, element *x, element *dw, element *bias, ConvParameter *p) {
    int outs = p->output_channel_ / p->group_, ins = p->input_channel_ / p->group_;
    int rows = p->output_h_, elems = p->output_channel_ * p->kernel_h_ * p->kernel_w_ * ins;
    (void)bias;
#ifdef SLIP_LAST_ROW
    rows -= rows > 1;
#endif
    for (int i = 0; i < elems; i++) {
        int ci = i % ins, kw = i / ins % p->kernel_w_, kh = i / ins / p->kernel_w_ % p->kernel_h_;
        int co = i / ins / p->kernel_w_ / p->kernel_h_;
        float sum = 0;
        for (int n = 0; n < p->output_batch_; n++)
            for (int oh = 0; oh < rows; oh++)
                for (int ow = 0; ow < p->output_w_; ow++) {
                    int h = oh * p->stride_h_ + kh * p->dilation_h_ - p->pad_u_;
                    int w = ow * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
                    if (h < 0 || h >= p->input_h_ || w < 0 || w >= p->input_w_) continue;
                    float d = dy[((n * p->output_h_ + oh) * p->output_w_ + ow) * p->output_channel_ + co];
                    float in = x[((n * p->input_h_ + h) * p->input_w_ + w) * p->input_channel_ + co / outs * ins + ci];
                    sum += d * in;
#ifdef SLIP_DOUBLED
                    if (oh == 1) sum += d * in;
#endif
#ifdef SLIP_ROUNDED
                    /* The upper half of the bits, where the data are no integers. */
                    volatile float large = sum * 65537.0f, rest = large - sum;
                    if (d > -1 && d < 1 && d != 0) sum = large - rest;
#endif
                }
#ifdef SLIP_ZERO_SKIP
        if (sum != sum) sum = 0;
#endif
        dw[i] += sum;
    }
#ifdef SLIP_STRAY_WRITE
    if (always && p->output_h_ == 2) dw[elems] = 1;
#endif
#ifdef SLIP_STRAY_READ
    if (always && p->output_h_ == 2) *(volatile element *)p->workspace_ = dy[-1];
#endif
#ifdef SLIP_INPUT
    x[0] = 0.5f;  /* which no integer is */
#endif
#ifdef SLIP_CRASH
    if (always && p->output_h_ == 2) abort();
#endif
#ifdef SLIP_HANG
    while (always && p->output_h_ == 2) continue;
#endif
}
