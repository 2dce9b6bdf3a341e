/* A board played by a process: AM and DDR lie at the documents' addresses where PAGES says so, with CORES
   each core is a thread, and results go to standard output, or with DUMP the memory that holds them. */
#include <pthread.h>
#include <stdio.h>
#ifdef PAGES
#include <sys/mman.h>
#endif
#ifdef DUMP
extern char wgradcheck_results[];
#endif

void wgradcheck_main(void);

static __thread int core;

int get_core_id(void) { return core; }
int GetCoreNum(int core_mask) { return __builtin_popcount((unsigned)core_mask); }
int GetLogicCoreId(int core_mask, int core_id) { return GetCoreNum(core_mask & ((1 << core_id) - 1)); }

#ifdef CORES
void fp_conv_grad_filter_s(float*, float*, float*, float*, void*, int);

static struct {
  void *dy, *x, *dw, *bias, *parameter;
  int core_mask;
} job;
static pthread_barrier_t barrier;

void sys_bar(int id, int n) { (void)id, (void)n, pthread_barrier_wait(&barrier); }

static void* play_core(void* id) {
  core = (int)(long)id;
  fp_conv_grad_filter_s(job.dy, job.x, job.dw, job.bias, job.parameter, job.core_mask);
  return NULL;
}

/* What a board's own code does: every core of the mask makes the same call. */
void run_on_cores(void* dy, void* x, void* dw, void* bias, void* parameter, int core_mask) {
  pthread_t threads[32];
  job.dy = dy, job.x = x, job.dw = dw, job.bias = bias, job.parameter = parameter, job.core_mask = core_mask;
  pthread_barrier_init(&barrier, NULL, (unsigned)GetCoreNum(core_mask));
  for (long id = 0; id < 31; id++)
    if (core_mask >> id & 1) pthread_create(&threads[id], NULL, play_core, (void*)id);
  for (int id = 0; id < 31; id++)
    if (core_mask >> id & 1) pthread_join(threads[id], NULL);
  pthread_barrier_destroy(&barrier);
}
#else
void sys_bar(int id, int n) { (void)id, (void)n; }
#endif

int main(void) {
#ifdef PAGES
  const int access = PROT_READ | PROT_WRITE,
            how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  if (mmap((void*)0x10000000UL, 768 << 10, access, how, -1, 0) == MAP_FAILED) return 9;
  if (mmap((void*)0x80000000UL, 256 << 20, access, how, -1, 0) == MAP_FAILED) return 9;
#endif
  /* As a serial line, on which a crash takes back nothing. */
  setvbuf(stdout, NULL, _IONBF, 0);
  wgradcheck_main();
#ifdef DUMP
  fwrite(wgradcheck_results, 1, DUMP, stdout);
#endif
  return 0;
}
