/* A program without cores: it supplies none of the machine's functions, may call _p, and has _s refused. */
#include <string.h>

#include "targets/include/conv_grad_filter.h"

static int refused_for(const char* field) {
  const char* error = conv_grad_filter_last_error();
  return error != NULL && strncmp(error, field, strlen(field)) == 0;
}

int main(void) {
  fp_conv_grad_filter_p(NULL, NULL, NULL, NULL, NULL);
  if (!refused_for("conv_param")) return 1;
  fp_conv_grad_filter_s(NULL, NULL, NULL, NULL, NULL, 1);
  return refused_for("core_mask") ? 0 : 2;
}
