/* Runs a sanitized kernel as one core: runner LIBRARY SYMBOL RANK FORM, which is `private`, `shared` or, for
   a host kernel, the name of the function that tells its workspace. All memory of the job but the buffers of
   the case at hand is poisoned, so that AddressSanitizer sees a stray access where it is made. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sanitized_job.h"

void __asan_poison_memory_region(void const volatile* start, size_t length);
void __asan_unpoison_memory_region(void const volatile* start, size_t length);
size_t __sanitizer_get_current_allocated_bytes(void);

static struct sanitized_job* const job = (struct sanitized_job*)SANITIZED_JOB_AT;
static int rank;

static void wait_while(const uint32_t* word, uint32_t value) {
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) usleep(20);
}

static uint32_t add_one(uint32_t* word) { return __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST); }

/* What the machine supplies to kernels. */

int get_core_id(void) {
  uint32_t mask = job->core_mask;
  for (int i = 0; i < rank; ++i) mask &= mask - 1;
  return __builtin_ctz(mask);
}

int GetLogicCoreId(int core_mask, int core_id) {
  const uint32_t mask = (uint32_t)core_mask;
  if (core_id < 0 || core_id >= 32 || (mask >> core_id & 1u) == 0) return -1;
  return __builtin_popcount(mask & ((1u << core_id) - 1));
}

int GetCoreNum(int core_mask) { return __builtin_popcount((uint32_t)core_mask); }

void sys_bar(int id, int n) {
  uint32_t* const waiting = &job->barriers[(unsigned)id % 16].waiting;
  uint32_t* const generation = &job->barriers[(unsigned)id % 16].generation;
  const uint32_t before = __atomic_load_n(generation, __ATOMIC_SEQ_CST);
  if (add_one(waiting) == (uint32_t)n) {
    __atomic_store_n(waiting, 0, __ATOMIC_SEQ_CST);
    add_one(generation);
  } else {
    wait_while(generation, before);
  }
}

/* On this program's stack, so that what goes past their ends is seen. */
static void ask(void* query) {
  uint64_t problem[sizeof job->problem / sizeof job->problem[0]];
  char text[sizeof job->text] = "";
  memcpy(problem, job->problem, sizeof problem);
  job->workspace = ((int64_t(*)(const void*, char*))query)(problem, text);
  memcpy(job->text, text, sizeof text);
}

static void run(void* kernel, int takes_mask, int is_host) {
  void* b[6];
  __asan_poison_memory_region((void*)job->begin, job->end - job->begin);
  for (int i = 0; i < 6; ++i) {
    b[i] = (void*)job->start[i];
    __asan_unpoison_memory_region(b[i], job->length[i]);
  }
  if (!job->has_bias) b[3] = NULL;
  const uint32_t cores = (uint32_t)__builtin_popcount(job->core_mask);
  for (uint32_t now = add_one(&job->entered); now < cores;
       now = __atomic_load_n(&job->entered, __ATOMIC_SEQ_CST))
    wait_while(&job->entered, now);
  const size_t before = __sanitizer_get_current_allocated_bytes();
  if (is_host)
    job->returned =
        ((int (*)(const void*, const void*, const void*, void*, void*))kernel)(b[4], b[0], b[1], b[2], b[5]);
  else if (takes_mask)
    ((void (*)(void*, void*, void*, void*, void*, int))kernel)(b[0], b[1], b[2], b[3], b[4],
                                                               (int)job->core_mask);
  else
    ((void (*)(void*, void*, void*, void*, void*))kernel)(b[0], b[1], b[2], b[3], b[4]);
  const int64_t kept = (int64_t)(__sanitizer_get_current_allocated_bytes() - before);
  __atomic_add_fetch(&job->kept, kept, __ATOMIC_SEQ_CST);
}

int main(int count, char** words) {
  if (count != 5) return 2;
  struct stat file;
  if (fstat(SANITIZED_JOB_FD, &file) != 0 ||
      mmap(job, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
           SANITIZED_JOB_FD, 0) != job) {
    perror("the memory of the job cannot be mapped");
    return 2;
  }
  close(SANITIZED_JOB_FD);
  void* const library = dlopen(words[1], RTLD_NOW);
  void* const kernel = library == NULL ? NULL : dlsym(library, words[2]);
  const int is_private = strcmp(words[4], "private") == 0, is_shared = strcmp(words[4], "shared") == 0;
  const int is_host = !is_private && !is_shared;
  void* const query = is_host && library != NULL ? dlsym(library, words[4]) : NULL;
  if (kernel == NULL || (is_host && query == NULL)) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  rank = atoi(words[3]);
  add_one(&job->loaded);
  for (uint32_t number = 0;; ++number) {
    wait_while(&job->number, number);
    if (job->asks)
      ask(query);
    else if (rank < __builtin_popcount(job->core_mask))
      run(kernel, is_shared, is_host);
    add_one(&job->left);
  }
}
