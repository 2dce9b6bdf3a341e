void fp_conv_grad_filter_p(float *dy { }
