#ifndef WGRADCHECK_SANITIZED_JOB_H
#define WGRADCHECK_SANITIZED_JOB_H
#include <stdint.h>

/* What the checker tells the programs that run a sanitized kernel, one a core. It is the beginning of a file
   that each of them maps at SANITIZED_JOB_AT; the buffers lie in the rest. Addresses are those in the
   programs. Words are read and written atomically. */
struct sanitized_job {
  uint32_t number;  /* of the case to run, 0 before the first */
  uint32_t loaded;  /* programs that have loaded the kernel */
  uint32_t entered; /* cores that have begun the case */
  uint32_t left;    /* programs that are through with the case */
  uint32_t core_mask;
  uint32_t has_bias;
  uint32_t asks;                /* a host kernel is asked for its workspace, not run */
  int32_t returned;             /* by a host kernel */
  int64_t kept;                 /* bytes that the case allocated and did not free */
  int64_t workspace;            /* its answer when asked, bytes */
  uint64_t problem[32];         /* what it is asked about: a wgrad_problem */
  char text[128];               /* and what it said of it */
  uint64_t begin, end;          /* what the case occupies, gaps included */
  uint64_t start[6], length[6]; /* dy, x, dw, bias, parameter, workspace: the bytes that may be accessed */
  struct {
    uint32_t waiting, generation;
  } barriers[16];
};

/* Where neither programs, libraries nor the sanitizer's shadow lie. */
#define SANITIZED_JOB_AT 0x200000000000

/* The file's descriptor in the programs. */
#define SANITIZED_JOB_FD 3

#endif
