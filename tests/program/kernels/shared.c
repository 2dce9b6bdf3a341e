/* Weight gradient of a 2D convolution on several cores: each sums a share of the batch into a partial of its own, then
   the cores reduce a share of the elements each. The SLIP_ macros plant one slip apiece. */
static void add_image(const float *dy, const float *x, float *dw, const ConvParameter *p) {
    int co_group = p->output_channel_ / p->group_;
    int ci_group = p->input_channel_ / p->group_;
    for (int oh = 0; oh < p->output_h_; oh++)
        for (int ow = 0; ow < p->output_w_; ow++)
            for (int kh = 0; kh < p->kernel_h_; kh++)
                for (int kw = 0; kw < p->kernel_w_; kw++) {
                    int row = oh * p->stride_h_ + kh * p->dilation_h_ - p->pad_u_;
                    int col = ow * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
                    if (row < 0 || row >= p->input_h_ || col < 0 || col >= p->input_w_) continue;
                    const float *d = dy + (oh * p->output_w_ + ow) * p->output_channel_;
                    const float *in = x + (row * p->input_w_ + col) * p->input_channel_;
                    for (int co = 0; co < p->output_channel_; co++)
                        for (int ci = 0; ci < ci_group; ci++)
                            dw[((co * p->kernel_h_ + kh) * p->kernel_w_ + kw) * ci_group + ci] +=
                                d[co] * in[co / co_group * ci_group + ci];
                }
}

void fp_conv_grad_filter_s(float *input_dy, float *input_x, float *out_dw, float *bias, ConvParameter *conv_param,
                           int core_mask) {
    const ConvParameter *p = conv_param;
    int cores = GetCoreNum(core_mask);
    int row = p->kernel_h_ * p->kernel_w_ * (p->input_channel_ / p->group_);
    int elems = p->output_channel_ * row;
    int depthwise = p->group_ == p->input_channel_ && p->group_ == p->output_channel_ && p->dilation_h_ == 1 &&
                    p->dilation_w_ == 1;
#ifdef SLIP_BIT_INDEX
    int rank = get_core_id();
#else
    int rank = GetLogicCoreId(core_mask, get_core_id());
#endif
    float *partials = (float *)p->workspace_;
    float *mine = partials + rank * elems;
    int share = (p->output_batch_ + cores - 1) / cores;
    int first = rank * share;
    int last = first + share < p->output_batch_ ? first + share : p->output_batch_;
    if (depthwise) bias = NULL;

#ifdef SLIP_NOT_ZEROED
    if (first < last)
#endif
        for (int e = 0; e < elems; e++) mine[e] = 0;
#ifdef SLIP_BIAS_PER_CORE
    for (int e = 0; bias != NULL && e < elems; e++) mine[e] += bias[e % row];
    bias = NULL;
#endif
    for (int n = first; n < last; n++)
        add_image(input_dy + n * p->output_h_ * p->output_w_ * p->output_channel_,
                  input_x + n * p->input_h_ * p->input_w_ * p->input_channel_, mine, p);
#ifndef SLIP_NO_BARRIER
    sys_bar(0, cores);
#endif
    for (int e = rank; e < elems; e += cores) {
        float sum = out_dw[e] + (bias != NULL ? bias[e % row] : 0);
        for (int core = 0; core < cores; core++) sum += partials[core * elems + e];
        out_dw[e] = sum;
    }
    sys_bar(0, cores);
}
