/* Weight gradient of a 2D convolution, single precision, private memory. */
void fp_conv_grad_filter_p(float *input_dy, float *input_x, float *out_dw, float *bias, ConvParameter *conv_param) {
    const ConvParameter *p = conv_param;
    int co_group = p->output_channel_ / p->group_;
    int ci_group = p->input_channel_ / p->group_;
    (void)bias;
    for (int n = 0; n < p->output_batch_; n++)
        for (int oh = 0; oh < p->output_h_; oh++)
            for (int ow = 0; ow < p->output_w_; ow++) {
                const float *dy = input_dy + ((n * p->output_h_ + oh) * p->output_w_ + ow) * p->output_channel_;
                for (int kh = 0; kh < p->kernel_h_; kh++)
                    for (int kw = 0; kw < p->kernel_w_; kw++) {
                        int y = oh * p->stride_h_ + kh - p->pad_u_;
                        int x = ow * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
                        if (y < 0 || y >= p->input_h_ || x < 0 || x >= p->input_w_) continue;
                        const float *in = input_x + ((n * p->input_h_ + y) * p->input_w_ + x) * p->input_channel_;
                        for (int co = 0; co < p->output_channel_; co++) {
                            int g = co / co_group;
                            float *dw = out_dw + ((co * p->kernel_h_ + kh) * p->kernel_w_ + kw) * ci_group;
                            for (int ci = 0; ci < ci_group; ci++) dw[ci] += dy[co] * in[g * ci_group + ci];
                        }
                    }
            }
}
