/* Results are records of printable characters: @wg, the program's id, a letter, numbers in base 16, *, the
   CRC-32 of what lies between @wg and *, and a semicolon. A call and what comes of it begin on one line, so
   that a log that is cut after a line does not look like one that ends in a call. */
static unsigned long wg_crc;

#ifndef WGRADCHECK_PUTCHAR
/* What is to be dumped. */
char wgradcheck_results[WGRADCHECK_RESULTS] = "wgradcheck results\n";
static unsigned long wg_written = 19;
#endif

static void wg_put(int c) {
  int k;
#ifdef WGRADCHECK_PUTCHAR
  (void)WGRADCHECK_PUTCHAR(c);
#else
  /* The last records are kept free for one that says that there was no more room. */
  if (wg_written < sizeof wgradcheck_results) wgradcheck_results[wg_written++] = (char)c;
#endif
  wg_crc ^= (unsigned long)c & 0xff;
  for (k = 0; k < 8; ++k) wg_crc = wg_crc & 1 ? wg_crc >> 1 ^ 0xedb88320UL : wg_crc >> 1;
}

static void wg_text(const char* text) {
  while (*text) wg_put(*text++);
}

static void wg_digits(unsigned long value, int count) {
  while (count-- > 0) wg_put("0123456789abcdef"[value >> 4 * count & 15]);
}

static void wg_number(unsigned long value) {
  int count = 1;
  while (count < 8 && value >> 4 * count) ++count;
  wg_digits(value, count);
}

static void wg_begin(int kind) {
  wg_text("@wg");
  wg_crc = 0xffffffffUL;
  wg_digits(WG_PROGRAM, 8);
  wg_put(kind);
}

static void wg_end(const char* last) {
  const unsigned long crc = wg_crc ^ 0xffffffffUL;
  wg_put('*');
  wg_digits(crc, 8);
  wg_put(';');
  wg_text(last);
}

/* Whether results have room for some more bytes. */
static int wg_has_room(unsigned long bytes) {
#ifdef WGRADCHECK_PUTCHAR
  (void)bytes;
  return 1;
#else
  return sizeof wgradcheck_results - wg_written > bytes + 256;
#endif
}

static void wg_report_dw(unsigned long number, const struct wg_case* c) {
  const unsigned long at_once = 40 / (2 * WG_ELEM_BYTES);
  unsigned long i;
  for (i = 0; i < c->elems[WG_DW]; ++i) {
    if (i % at_once == 0) {
      if (!wg_has_room(80)) return;
      wg_begin('d');
      wg_number(number);
      wg_put(',');
      wg_number(i);
      wg_put(',');
    }
    wg_digits(wg_load(wg_at[WG_DW] + i * WG_ELEM_BYTES), 2 * WG_ELEM_BYTES);
    if ((i + 1) % at_once == 0 || i + 1 == c->elems[WG_DW]) wg_end("\n");
  }
}

static void wg_report(unsigned long number, const struct wg_seen* seen) {
  wg_begin('r');
  wg_number(number);
  wg_put(',');
  wg_digits(seen->digest.high, 8);
  wg_digits(seen->digest.low, 8);
  wg_put(',');
  wg_number(seen->used);
  if (seen->stray) {
    wg_text(seen->before ? ",b" : ",w");
    wg_number((unsigned long)seen->stray);
    wg_put(':');
    wg_number(seen->far);
  }
  if (seen->altered) {
    wg_text(",i");
    wg_number((unsigned long)seen->altered);
    wg_put(':');
    wg_number(seen->element);
  }
  if (seen->field) {
    wg_text(",p");
    wg_number((unsigned long)seen->field);
  }
  if (seen->areas) {
    wg_text(",a");
    wg_number(seen->areas);
  }
  if (seen->unsteady) wg_text(",u");
  wg_end("\n");
}

static void wg_try(unsigned long number, const struct wg_case* c, const struct wg_other* others) {
  static const struct wg_seen nothing;
  struct wg_seen seen = nothing;
  struct wg_wide other;
  int a;
  wg_begin('c');
  wg_number(number);
  wg_end("");
  other = wg_run(c, others, WG_NUMBER, -1, 0, &seen);
  seen.digest = wg_run(c, others, WG_NAN, -1, 0, &seen);
  if (!wg_same(other, seen.digest)) {
    /* In this order, lest a kernel that does something else in every other call seem to see the poison. */
    const int steady = wg_same(wg_run(c, others, WG_NAN, -1, 0, &seen), seen.digest) &&
                       wg_same(wg_run(c, others, WG_NUMBER, -1, 0, &seen), other);
    seen.unsteady = !steady;
    for (a = 0; a < WG_AREAS && steady; ++a)
      if (!wg_same(wg_run(c, others, WG_NAN, a, WG_NUMBER, &seen), seen.digest)) seen.areas |= 1UL << a;
    /* Each area by itself may make no difference. */
    if (steady && !seen.areas) seen.areas = (1UL << WG_AREAS) - 1;
    seen.digest = wg_run(c, others, WG_NAN, -1, 0, &seen);
  }
  if (c->returns == 2 || (c->returns == 1 && !wg_same(seen.digest, c->expected))) wg_report_dw(number, c);
  wg_report(number, &seen);
}

/* Runs every case; to be called on one core. */
void wgradcheck_main(void) {
  const unsigned int one = 1;
  const struct wg_other* others = wg_others;
  unsigned long number;
  int b;
  wg_big_endian = *(const unsigned char*)&one == 0;
  wg_begin('p');
  wg_number(WG_CASES);
  wg_put(',');
  wg_number((unsigned long)sizeof(void*));
  wg_put(',');
  wg_number((unsigned long)wg_big_endian);
  wg_end("\n");
  for (number = 0; number < WG_CASES && wg_has_room(200); ++number) {
    if (number + 1 > WGRADCHECK_FIRST) wg_try(number, &wg_cases[number], others);
    for (b = WG_DY; b <= WG_BIAS; ++b) others += wg_cases[number].others[b];
  }
  wg_begin(wg_has_room(0) && number == WG_CASES ? 'e' : 'f');
  wg_end("\n");
}
