/* A kernel in plain C behind the folders of check/remote/README.md, for f32 by host_f32.

     folder_kernel FOLDER...   one launch, any number of cases
     folder_kernel             folders on standard input, an answer a line

   WRONG=dilation_h leaves dilation_h out. MISBEHAVE=what does something else instead, on the shapes that
   have kw > 1: crash, exit, hang, nothing, type, shape, short, fortran, nan, link, flood, skip, chatter.
   COUNT=FILE gets a byte a launch, or a line of standard input. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  long input, output, kernel, stride, dilation, pad;
} axis;

static const char* text_of(const char* folder, const char* name, char* path, size_t* size) {
  snprintf(path, 4096, "%s/%s", folder, name);
  FILE* f = fopen(path, "rb");
  if (!f) perror(path), exit(1);
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char* text = calloc(1, *size + 1);
  if (fread(text, 1, *size, f) != *size) exit(1);
  fclose(f);
  return text;
}

/* The number after "name":, at or after `from`. */
static long number(const char* from, const char* name) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char* at = strstr(from, key);
  return at ? strtol(at + strlen(key), 0, 10) : 0;
}

static axis axis_of(const char* json, const char* name) {
  char key[64];
  snprintf(key, sizeof key, "\"%s\": {", name);
  const char* at = strstr(json, key);
  return (axis){number(at, "input"),  number(at, "output"),   number(at, "kernel"),
                number(at, "stride"), number(at, "dilation"), number(at, "pad_before")};
}

/* The elements of an array file of version 1, behind its header. */
static const float* array(const char* folder, const char* name) {
  char path[4096];
  size_t size;
  const unsigned char* text = (const unsigned char*)text_of(folder, name, path, &size);
  return (const float*)(text + 10 + text[8] + 256 * text[9]);
}

static void write_dw(const char* folder, const char* type, const char* shape, const char* order,
                     const void* bytes, size_t size) {
  char path[4096], header[256];
  snprintf(path, sizeof path, "%s/dw.npy", folder);
  const int used = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }",
                            type, order, shape);
  const int length = (used + 1 + 10 + 63) / 64 * 64 - 10;
  FILE* f = fopen(path, "wb");
  if (!f) perror(path), exit(1);
  fprintf(f, "\x93NUMPY%c%c%c%c", 1, 0, length & 255, length >> 8);
  fprintf(f, "%-*s\n", length - 1, header);
  fwrite(bytes, 1, size, f);
  fclose(f);
}

/* Whether the case goes on after what MISBEHAVE says. */
static int behaves(const char* what, const char* folder) {
  if (!strcmp(what, "crash")) raise(SIGSEGV);
  if (!strcmp(what, "exit")) fprintf(stderr, "the board is on fire\n"), exit(3);
  if (!strcmp(what, "hang"))
    for (;;) pause();
  if (!strcmp(what, "flood"))
    for (int i = 0; i < 200000; ++i) puts("0123456789 and so on"), fputs("noise\n", stderr);
  if (!strcmp(what, "chatter")) puts("loading"), puts("okay then");
  if (!strcmp(what, "link")) {
    char path[4096];
    snprintf(path, sizeof path, "%s/dw.npy", folder);
    if (symlink("/dev/zero", path) != 0) exit(1);
  }
  return strcmp(what, "nothing") != 0 && strcmp(what, "link") != 0;
}

/* Whether it supports the case. */
static int run(const char* folder) {
  const char *wrong = getenv("WRONG"), *misbehave = getenv("MISBEHAVE");
  char path[4096], shape[256];
  size_t size;
  const char* json = text_of(folder, "case.json", path, &size);
  const long n = number(json, "batch"), g = number(json, "groups");
  const long ci = number(json, "in_channels") / g, co = number(json, "out_channels") / g;
  axis d = axis_of(json, "depth"), h = axis_of(json, "height"), w = axis_of(json, "width");
  if (wrong && !strcmp(wrong, "dilation_h")) h.dilation = 1;
  if (w.kernel == 1) misbehave = 0;
  if (misbehave && !strcmp(misbehave, "skip")) return 0;
  if (misbehave && !behaves(misbehave, folder)) return 1;
  const float *x = array(folder, "x.npy"), *dy = array(folder, "dy.npy"), *in = array(folder, "dw_in.npy");
  const long elems = g * co * d.kernel * h.kernel * w.kernel * ci;
  float *dw = calloc((size_t)elems, sizeof *dw), *at = dw;
  const int accumulate = strstr(json, "\"accumulate\": true") != 0;
  for (long group = 0; group < g; ++group)
    for (long c = 0; c < co; ++c)
      for (long kd = 0; kd < d.kernel; ++kd)
        for (long kh = 0; kh < h.kernel; ++kh)
          for (long kw = 0; kw < w.kernel; ++kw)
            for (long i = 0; i < ci; ++i, ++at) {
              double sum = accumulate ? in[at - dw] : 0;
              for (long b = 0; b < n; ++b)
                for (long od = 0; od < d.output; ++od)
                  for (long oh = 0; oh < h.output; ++oh)
                    for (long ow = 0; ow < w.output; ++ow) {
                      const long z = od * d.stride + kd * d.dilation - d.pad;
                      const long y = oh * h.stride + kh * h.dilation - h.pad;
                      const long xx = ow * w.stride + kw * w.dilation - w.pad;
                      if (z < 0 || z >= d.input || y < 0 || y >= h.input || xx < 0 || xx >= w.input) continue;
                      sum += (double)dy[(((b * d.output + od) * h.output + oh) * w.output + ow) * g * co +
                                        group * co + c] *
                             x[(((b * d.input + z) * h.input + y) * w.input + xx) * g * ci + group * ci + i];
                    }
              *at = (float)sum;
            }
  size_t bytes = (size_t)elems * sizeof *dw;
  snprintf(shape, sizeof shape, "%ld, %ld, %ld, %ld, %ld, %ld", g, co, d.kernel, h.kernel, w.kernel, ci);
  const char *type = "<f4", *order = "False";
  if (misbehave && !strcmp(misbehave, "type")) type = "<i4";
  if (misbehave && !strcmp(misbehave, "shape")) snprintf(shape, sizeof shape, "%ld,", elems);
  if (misbehave && !strcmp(misbehave, "short")) bytes -= 1;
  if (misbehave && !strcmp(misbehave, "fortran")) order = "True";
  if (misbehave && !strcmp(misbehave, "nan")) memset(dw, 0xff, bytes);
  write_dw(folder, type, shape, order, dw, bytes);
  return 1;
}

static void count(void) {
  const char* name = getenv("COUNT");
  FILE* f = name ? fopen(name, "ab") : 0;
  if (!f) return;
  fputc('.', f);
  fclose(f);
}

int main(int argc, char** argv) {
  if (argc > 1) count();
  for (int i = 1; i < argc; ++i)
    if (!run(argv[i])) return 77;
  char* line = 0;
  size_t room = 0;
  while (argc == 1 && getline(&line, &room, stdin) > 0) {
    line[strcspn(line, "\n")] = 0;
    count();
    puts(run(line) ? "ok" : "skip only kw of 1");
    fflush(stdout);
  }
  return 0;
}
