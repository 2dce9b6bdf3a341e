/* How far outside a buffer a stray write is seen, bytes. Under AddressSanitizer nothing lies there, so that
   it sees stray reads as well. */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SEEN 0
#else
#define SEEN MARGIN
#endif

#if HOST
typedef wgrad_problem PARAMETER;
#else
typedef ConvParameter PARAMETER;
#endif

static void fill(void);
static void set_parameter(PARAMETER* p);

/* A buffer of exactly `bytes`, which starts `shift` bytes behind a multiple of 64. */
struct buffer {
  const char* name;
  unsigned char* start;
  long bytes, shift;
};

static struct buffer dy = {"dy", NULL, DY_ELEMS* ELEM_BYTES, DY_SHIFT};
static struct buffer x = {"x", NULL, X_ELEMS* ELEM_BYTES, X_SHIFT};
static struct buffer dw = {"dw", NULL, DW_ELEMS* ELEM_BYTES, DW_SHIFT};
static struct buffer bias = {"bias", NULL, BIAS_ELEMS* ELEM_BYTES, BIAS_SHIFT};
static struct buffer workspace = {"workspace", NULL, WORKSPACE_BYTES, WORKSPACE_SHIFT};
static struct buffer* const buffers[] = {&dy, &x, &dw, &bias, &workspace};

/* What surrounds the buffers and fills the workspace reads as NaN in every element type. */
static unsigned char pattern(const unsigned char* at) { return (uintptr_t)at % 2 ? 0xff : 0xe7; }

static void paint(unsigned char* from, const unsigned char* to) {
  for (; from < to; ++from) *from = pattern(from);
}

/* First byte without the pattern, or NULL. */
static unsigned char* damage(unsigned char* from, const unsigned char* to) {
  while (from < to && *from == pattern(from)) ++from;
  return from < to ? from : NULL;
}

static void* claim(size_t bytes) {
#if CORES > 1
  void* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return memory;
#else
  void* const memory = malloc(bytes);
  if (memory != NULL) return memory;
#endif
  puts("out of memory");
  exit(2);
}

static void make(struct buffer* b) {
  if (SEEN == 0) {
    b->start = claim((size_t)b->bytes);
    paint(b->start, b->start + b->bytes);
    return;
  }
  unsigned char* const all = claim((size_t)(b->bytes + 2 * SEEN + 128));
  const uintptr_t first = ((uintptr_t)all + SEEN + 63) / 64 * 64;
  b->start = (unsigned char*)first + b->shift;
  paint(b->start - SEEN, b->start + b->bytes + SEEN);
}

static double value_of(const unsigned char* at) {
#if ELEM_BYTES == 4
  float value;
  memcpy(&value, at, sizeof value);
  return value;
#else
  const int one = 1 << FRACTION_BITS, most = 0x7fff >> FRACTION_BITS, bias_of_exponent = most / 2;
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  const int exponent = (bits & 0x7fff) / one, fraction = bits % one;
  double size = ldexp(exponent ? one + fraction : fraction,
                      (exponent ? exponent : 1) - bias_of_exponent - FRACTION_BITS);
  if (exponent == most) size = fraction ? NAN : INFINITY;
  return bits >> 15 ? -size : size;
#endif
}

#if GENERATED
/* Writes an element that holds the value exactly. */
static void put(unsigned char* at, double value) {
#if ELEM_BYTES == 4
  const float element = (float)value;
#else
  const int one = 1 << FRACTION_BITS, most = 0x7fff >> FRACTION_BITS, bias_of_exponent = most / 2;
  uint16_t element = 0;
  const double size = fabs(value);
  if (isnan(value)) element = (uint16_t)(most * one + one / 2);
  if (isinf(value)) element = (uint16_t)(most * one);
  if (size > 0 && !isinf(value)) {
    int exponent = 0;
    const double fraction = frexp(size, &exponent);
    exponent += bias_of_exponent - 1;
    element = exponent > 0 ? (uint16_t)((exponent - 1) * one + (int)ldexp(fraction, FRACTION_BITS + 1))
                           : (uint16_t)ldexp(size, bias_of_exponent - 1 + FRACTION_BITS);
  }
  if (signbit(value)) element |= 0x8000;
#endif
  memcpy(at, &element, sizeof element);
}

/* Non-zero integers from -magnitude to magnitude times 2^-scale, and 0 in all but every keep_every-th group
   of `channels`. */
static void draw(struct buffer* b, uint64_t stream, uint64_t magnitude, int scale, long keep_every,
                 long channels) {
  const long elems = b->bytes / ELEM_BYTES;
  for (long i = 0; i < elems; ++i) {
    uint64_t z = stream + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    const double size = (double)(1 + ((z >> 32) * magnitude >> 32));
    put(b->start + i * ELEM_BYTES, i / channels % keep_every ? 0 : ldexp(z & 1 ? size : -size, -scale));
  }
}
#endif

#if MACHINE
/* What the machine lends to kernels that run on several cores; here each core is a process. */
static int rank;
static struct {
  int waiting, generation;
}* barriers;

int get_core_id(void) {
  unsigned mask = CORE_MASK;
  int id = 0, left = rank;
  for (; !(mask & 1u) || left > 0; mask >>= 1, ++id) left -= (int)(mask & 1u);
  return id;
}

int GetCoreNum(int core_mask) {
  int count = 0;
  for (unsigned mask = (unsigned)core_mask; mask; mask >>= 1) count += (int)(mask & 1u);
  return count;
}

int GetLogicCoreId(int core_mask, int core_id) {
  if (core_id < 0 || core_id >= 32 || !((unsigned)core_mask >> core_id & 1u)) return -1;
  return GetCoreNum((int)((unsigned)core_mask & ((1u << core_id) - 1)));
}

void sys_bar(int id, int n) {
#if CORES > 1
  int* const waiting = &barriers[(unsigned)id % 16].waiting;
  int* const generation = &barriers[(unsigned)id % 16].generation;
  const int before = __atomic_load_n(generation, __ATOMIC_SEQ_CST);
  if (__atomic_add_fetch(waiting, 1, __ATOMIC_SEQ_CST) == n) {
    __atomic_store_n(waiting, 0, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(generation, 1, __ATOMIC_SEQ_CST);
  } else {
    while (__atomic_load_n(generation, __ATOMIC_SEQ_CST) == before) sched_yield();
  }
#else
  (void)id, (void)n, (void)barriers;
#endif
}
#endif

#if HOST
/* Calls the kernel; 0 where it says that it could not. */
static int call(PARAMETER* p) { return KERNEL(p, dy.start, x.start, dw.start, workspace.start) == 0; }
#else
/* Calls the kernel on every core; 0 where one of them did not return. */
static int call(PARAMETER* p) {
  void* const no_bias = BIAS_ELEMS ? bias.start : NULL;
#if CORES > 1
  int returned = 1, status = 0;
  barriers = claim(16 * sizeof *barriers);
  fflush(NULL);
  for (rank = 0; rank < CORES; ++rank)
    if (fork() == 0) {
      KERNEL((void*)dy.start, (void*)x.start, (void*)dw.start, no_bias, p, (int)CORE_MASK);
      _exit(0);
    }
  while (wait(&status) > 0) returned = returned && status == 0;
  return returned;
#elif MACHINE
  KERNEL((void*)dy.start, (void*)x.start, (void*)dw.start, no_bias, p, (int)CORE_MASK);
  return 1;
#else
  KERNEL((void*)dy.start, (void*)x.start, (void*)dw.start, no_bias, p);
  return 1;
#endif
}
#endif

/* Writes outside the buffer. */
static int strayed(struct buffer* b) {
  unsigned char* const end = b->start + b->bytes;
  const unsigned char* const after = damage(end, end + SEEN);
  const unsigned char* const before = damage(b->start - SEEN, b->start);
  if (after)
    printf("wrote past the end of %s: at byte %ld of %ld\n", b->name, (long)(after - b->start), b->bytes);
  if (before) printf("wrote %ld bytes before the start of %s\n", (long)(b->start - before), b->name);
  return after || before;
}

/* Elements of an input that are no longer what they were. */
static int altered(const struct buffer* b, const unsigned char* old) {
  if (memcmp(b->start, old, (size_t)b->bytes) == 0) return 0;
  long i = 0;
  while (memcmp(b->start + i * ELEM_BYTES, old + i * ELEM_BYTES, ELEM_BYTES) == 0) ++i;
  printf("changed its input %s[%ld]\n", b->name, i);
  return 1;
}

static unsigned char* copy_of(const struct buffer* b) {
  unsigned char* const copy = claim((size_t)b->bytes + 1);
  memcpy(copy, b->start, (size_t)b->bytes);
  return copy;
}

#if !REFUSED
/* Elements of dW outside what is expected of them. */
static int wrong_elements(void) {
  const long listed = (long)(sizeof expected / sizeof expected[0]);
  long wrong = 0;
  for (long k = 0; k < listed; ++k) {
    const long i = expected[k].index, co = i / INS / KW / KH / KD;
    const double got = value_of(dw.start + i * ELEM_BYTES), least = expected[k].least;
    if (isnan(least) ? !isfinite(got) : got >= least && got <= expected[k].most) continue;
    if (wrong++) continue;
    printf("dW[g%ld][co%ld]", co / OUTS, co % OUTS);
    if (KD > 1) printf("[kd%ld]", i / INS / KW / KH % KD);
    printf("[kh%ld][kw%ld][ci%ld]: got %.9g, expected %.9g\n", i / INS / KW % KH, i / INS % KW, i % INS,
           isnan(got) ? NAN : got, expected[k].exact);
  }
  if (wrong) printf("%ld of %ld elements looked at: wrong\n", wrong, listed);
  return wrong > 0;
}
#endif

int main(void) {
  int wrong = 0;
  PARAMETER* const p = claim(sizeof *p);
#if HOST
  char text[WGRAD_TEXT] = "";
  set_parameter(p);
  workspace.bytes = (long)KERNEL_WORKSPACE(p, text);
  if (workspace.bytes < 0) {
    printf("not supported: %s\n", text);
    return 2;
  }
#endif
  for (int i = 0; i < 5; ++i) make(buffers[i]);
  fill();
  set_parameter(p);
  const PARAMETER given = *p;
  unsigned char *const old_dy = copy_of(&dy), *const old_x = copy_of(&x), *const old_bias = copy_of(&bias);
#if REFUSED
  unsigned char* const old_dw = copy_of(&dw);
#endif
  if (!call(p)) {
    puts("the kernel did not return");
    wrong = 1;
  }
  for (int i = 0; i < 5; ++i) wrong |= strayed(buffers[i]);
  wrong |= altered(&dy, old_dy) | altered(&x, old_x) | altered(&bias, old_bias);
  if (memcmp(&given, p, sizeof given) != 0) {
    puts("changed its parameter");
    wrong = 1;
  }
#if REFUSED
  wrong |= altered(&dw, old_dw);
  if (SEEN && damage(workspace.start, workspace.start + workspace.bytes)) {
    puts("did not refuse the call: it wrote to workspace_");
    wrong = 1;
  }
#else
  wrong |= wrong_elements();
#endif
  puts(wrong ? "WRONG; replay with" : "right; the case came from");
  puts(REPLAY);
  return wrong;
}
