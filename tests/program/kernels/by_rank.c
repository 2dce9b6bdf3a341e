/* Right, but for what BY_RANK asks of one rank of mpirun: rank 0 is `wrong`, or rank 1 ends the process of its
   `work`, or itself, the `rank`. It does so two seconds after rank 0 has made a call, which the file MARK tells. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define fp_conv_grad_filter_p right
#include "right.c"
#undef fp_conv_grad_filter_p

static int parent_of(int process) {
    char name[64];
    int parent = 0;
    FILE *stat;
    snprintf(name, sizeof name, "/proc/%d/stat", process);
    stat = fopen(name, "r");
    if (stat == NULL || fscanf(stat, "%*d %*s %*s %d", &parent) != 1) abort();
    fclose(stat);
    return parent;
}

void fp_conv_grad_filter_p(float *input_dy, float *input_x, float *out_dw, float *bias, ConvParameter *conv_param) {
    const char *what = getenv("BY_RANK"), *mark = getenv("MARK"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    const int first = rank != NULL && strcmp(rank, "0") == 0;
    right(input_dy, input_x, out_dw, bias, conv_param);
    if (strcmp(what, "wrong") == 0) {
        if (first) out_dw[0] += 1;
    } else if (first) {
        fclose(fopen(mark, "w"));
    } else {
        while (access(mark, F_OK) != 0) usleep(10000);
        sleep(2);
        kill(strcmp(what, "rank") == 0 ? parent_of(getppid()) : getppid(), SIGKILL);
        pause();
    }
}
