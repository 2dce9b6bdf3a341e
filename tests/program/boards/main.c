/* A board played by a process: AM and DDR lie at the documents' addresses where PAGES says so, and results go to
   standard output, or with DUMP the memory that holds them. */
#include <stdio.h>
#ifdef PAGES
#include <sys/mman.h>
#endif
#ifdef DUMP
extern char wgradcheck_results[];
#endif

void wgradcheck_main(void);

int get_core_id(void) { return 0; }
int GetLogicCoreId(int core_mask, int core_id) { return (core_mask >> core_id & 1) - 1; }
int GetCoreNum(int core_mask) { return core_mask & 1; }
void sys_bar(int id, int n) { (void)id, (void)n; }

int main(void) {
#ifdef PAGES
    const int access = PROT_READ | PROT_WRITE, how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
    if (mmap((void *)0x10000000UL, 768 << 10, access, how, -1, 0) == MAP_FAILED) return 9;
    if (mmap((void *)0x80000000UL, 256 << 20, access, how, -1, 0) == MAP_FAILED) return 9;
#endif
    /* As a serial line, which keeps what was said before a crash. */
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);
    wgradcheck_main();
#ifdef DUMP
    fwrite(wgradcheck_results, 1, DUMP, stdout);
#endif
    return 0;
}
