/* A kernel written for channel counts that fill its vectors: input channels go in eights, without a tail. */
typedef struct ConvParameter {
    void *workspace_;
    int output_batch_, input_batch_, input_h_, input_w_, output_h_, output_w_, input_channel_, output_channel_;
    int kernel_h_, kernel_w_, group_, pad_l_, pad_u_, dilation_h_, dilation_w_, stride_h_, stride_w_, buffer_size_;
    int pad_d_, pad_r_;
} ConvParameter;

#define LANES 8

void fp_conv_grad_filter_p(float *dy, float *x, float *dw, float *bias, ConvParameter *p) {
    int outs = p->output_channel_ / p->group_, ins = p->input_channel_ / p->group_;
    (void)bias;
    for (int c0 = 0; c0 + LANES <= p->input_channel_; c0 += LANES)
        for (int j = 0; j < outs; j++)
            for (int kh = 0; kh < p->kernel_h_; kh++)
                for (int kw = 0; kw < p->kernel_w_; kw++) {
                    float sum[LANES] = {0};
                    for (int n = 0; n < p->output_batch_; n++)
                        for (int oh = 0; oh < p->output_h_; oh++) {
                            int h = oh * p->stride_h_ + kh * p->dilation_h_ - p->pad_u_;
                            if (h < 0 || h >= p->input_h_) continue;
                            for (int ow = 0; ow < p->output_w_; ow++) {
                                int w = ow * p->stride_w_ + kw * p->dilation_w_ - p->pad_l_;
                                if (w < 0 || w >= p->input_w_) continue;
                                const float *d = dy + ((n * p->output_h_ + oh) * p->output_w_ + ow) * p->output_channel_;
                                const float *in = x + ((n * p->input_h_ + h) * p->input_w_ + w) * p->input_channel_ + c0;
                                for (int l = 0; l < LANES; l++) sum[l] += d[(c0 + l) / ins * outs + j] * in[l];
                            }
                        }
                    for (int l = 0; l < LANES; l++) {
                        int co = (c0 + l) / ins * outs + j, ci = (c0 + l) % ins;
                        dw[((co * p->kernel_h_ + kh) * p->kernel_w_ + kw) * ins + ci] += sum[l];
                    }
                }
}
