#include "targets/include/conv_grad_filter.h"

#ifdef __LP64__
#define AT(field, offset) _Static_assert(offsetof(ConvParameter, field) == (offset), #field)
AT(workspace_, 0);
AT(output_batch_, 8);
AT(input_batch_, 12);
AT(input_h_, 16);
AT(input_w_, 20);
AT(output_h_, 24);
AT(output_w_, 28);
AT(input_channel_, 32);
AT(output_channel_, 36);
AT(kernel_h_, 40);
AT(kernel_w_, 44);
AT(group_, 48);
AT(pad_l_, 52);
AT(pad_u_, 56);
AT(dilation_h_, 60);
AT(dilation_w_, 64);
AT(stride_h_, 68);
AT(stride_w_, 72);
AT(buffer_size_, 76);
AT(pad_d_, 80);
AT(pad_r_, 84);
_Static_assert(sizeof(ConvParameter) == 88, "ConvParameter");
#endif
_Static_assert(sizeof(float16) == 2, "float16");
