#include <limits.h>

#if CHAR_BIT != 8
#error "wgradcheck: sizes are counted in bytes of 8 bits, which this compiler does not have"
#endif
#if UINT_MAX < 0xffffffff
#error "wgradcheck: the documents' parameter needs an int of 32 bits"
#endif

/* Where plain code cannot reach the buffers' memory, how a byte of it is read and written. */
#ifndef WGRADCHECK_PEEK
#define WGRADCHECK_PEEK(at) (*(at))
#endif
#ifndef WGRADCHECK_POKE
#define WGRADCHECK_POKE(at, byte) (*(at) = (unsigned char)(byte))
#endif

#define WG_LOW(value) ((value)&0xffffffffUL)

/* What can be poisoned: the bytes around each buffer, and those in the workspace. */
enum {
  WG_DY,
  WG_X,
  WG_DW,
  WG_BIAS,
  WG_PARAMETER,
  WG_WORKSPACE,
  WG_BUFFERS,
  WG_INSIDE = WG_BUFFERS,
  WG_AREAS
};
enum { WG_NAN = 0xff, WG_NUMBER = 0x41 }; /* in every element type and byte order */

/* A number of 64 bits, 32 in each half. */
struct wg_wide {
  unsigned long high, low;
};

struct wg_case {
  int param[20];
  unsigned int core_mask;
  int region[WG_BUFFERS];
  unsigned long start[WG_BUFFERS];    /* bytes from the region's start */
  unsigned long elems[4], workspace;  /* elements of dy, x, dw and bias; bytes */
  struct wg_wide stream[4];           /* that they are drawn from */
  unsigned long magnitude[4];         /* of the integers; 0: all are 0 */
  int scale[4];                       /* elements are integers times 2^-scale */
  unsigned long keep_every, channels; /* dy is 0 in all but every so many groups of so many elements */
  unsigned long others[4];            /* how many of wg_others are theirs, in this order */
  struct wg_wide expected;            /* digest of the right dw */
  int returns;                        /* dw: 0 never, 1 where its digest is another, 2 always */
};

/* The bits that an element has in place of those that are drawn. */
struct wg_other {
  unsigned long index, bits;
};
