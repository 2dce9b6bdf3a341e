#include "tests/targets/caller.c"
