/* What a case shows. Buffers, fields and areas are counted from 1; 0 says that there is nothing. */
struct wg_seen {
  struct wg_wide digest;
  unsigned long used; /* bytes of the workspace up to the last one written */
  int stray, before;  /* a buffer outside which something was written, and on which side */
  unsigned long far;  /* bytes from its start to there */
  int altered, field; /* an input that was changed; a field of the parameter */
  unsigned long element;
  unsigned long areas; /* bit i: dw depends on what lay in area i */
  int unsteady;        /* dw came out differently from two runs that nothing tells apart */
};

static unsigned char* wg_at[WG_BUFFERS];
static unsigned long wg_bytes[WG_BUFFERS];
static int wg_big_endian;

static struct wg_wide wg_product(unsigned long a, unsigned long b) {
  const unsigned long al = a & 0xffff, ah = a >> 16, bl = b & 0xffff, bh = b >> 16;
  const unsigned long low = al * bl, middle = ah * bl + (low >> 16), upper = al * bh + (middle & 0xffff);
  struct wg_wide result;
  result.high = WG_LOW(ah * bh + (middle >> 16) + (upper >> 16));
  result.low = WG_LOW(upper << 16) | (low & 0xffff);
  return result;
}

static struct wg_wide wg_times(struct wg_wide a, unsigned long high, unsigned long low) {
  struct wg_wide result = wg_product(a.low, low);
  result.high = WG_LOW(result.high + a.low * high + a.high * low);
  return result;
}

/* z ^ z >> by, where 0 < by < 32. */
static struct wg_wide wg_folded(struct wg_wide z, int by) {
  z.low ^= z.low >> by | WG_LOW(z.high << (32 - by));
  z.high ^= z.high >> by;
  return z;
}

/* The i-th number of a stream: the finaliser of SplitMix64. */
static struct wg_wide wg_scrambled(struct wg_wide stream, unsigned long i) {
  struct wg_wide z = wg_product(i, 0x7f4a7c15UL);
  z.high = WG_LOW(z.high + i * 0x9e3779b9UL + stream.high);
  z.low = WG_LOW(z.low + stream.low);
  if (z.low < stream.low) z.high = WG_LOW(z.high + 1);
  z = wg_times(wg_folded(z, 30), 0xbf58476dUL, 0x1ce4e5b9UL);
  z = wg_times(wg_folded(z, 27), 0x94d049bbUL, 0x133111ebUL);
  return wg_folded(z, 31);
}

/* The bits of size times 2^-scale, which the element type holds exactly. */
static unsigned long wg_bits(unsigned long size, int scale) {
  const int fraction = WG_ELEM_BYTES == 4 ? 23 : 10, bias = WG_ELEM_BYTES == 4 ? 127 : 15;
  int top = 0;
  if (size == 0) return 0;
  while (size >> (top + 1)) ++top;
  if (top - scale > -bias)
    return ((unsigned long)(top - scale + bias) << fraction) +
           ((size << (fraction - top)) - (1UL << fraction));
  return size << (bias - 1 + fraction - scale);
}

/* Element i of dy, x, dw or bias; `others` are those of this tensor, sorted. */
static unsigned long wg_element(const struct wg_case* c, int tensor, unsigned long i,
                                const struct wg_other* others) {
  const struct wg_wide z = wg_scrambled(c->stream[tensor], i);
  unsigned long bits = 0, low = 0, high = c->others[tensor];
  if (c->magnitude[tensor] && (tensor != WG_DY || i / c->channels % c->keep_every == 0)) {
    bits = wg_bits(1 + wg_product(z.high, c->magnitude[tensor]).high, c->scale[tensor]);
    if (!(z.low & 1)) bits |= 1UL << (8 * WG_ELEM_BYTES - 1);
  }
  while (low < high) {
    const unsigned long middle = low + (high - low) / 2;
    if (others[middle].index < i)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < c->others[tensor] && others[low].index == i) bits = others[low].bits;
  return bits;
}

static unsigned long wg_load(const unsigned char* element) {
  unsigned long bits = 0;
  int k;
  for (k = 0; k < WG_ELEM_BYTES; ++k)
    bits |= (unsigned long)WGRADCHECK_PEEK(element + k) << 8 * (wg_big_endian ? WG_ELEM_BYTES - 1 - k : k);
  return bits;
}

static void wg_store(unsigned char* element, unsigned long bits) {
  int k;
  for (k = 0; k < WG_ELEM_BYTES; ++k)
    WGRADCHECK_POKE(element + k, bits >> 8 * (wg_big_endian ? WG_ELEM_BYTES - 1 - k : k) & 0xff);
}

/* h = number of elements; for each element h = scrambled(h, its bits). */
static struct wg_wide wg_digest(void) {
  const unsigned long elems = wg_bytes[WG_DW] / WG_ELEM_BYTES;
  struct wg_wide h;
  unsigned long i;
  h.high = 0;
  h.low = elems;
  for (i = 0; i < elems; ++i) h = wg_scrambled(h, wg_load(wg_at[WG_DW] + i * WG_ELEM_BYTES));
  return h;
}

static int wg_same(struct wg_wide a, struct wg_wide b) { return a.high == b.high && a.low == b.low; }

static void wg_paint(unsigned char* at, unsigned long bytes, int poison) {
  for (; bytes; ++at, --bytes) WGRADCHECK_POKE(at, poison);
}

static void wg_prepare(const struct wg_case* c, const struct wg_other* others, const unsigned char* poison) {
  int b;
  unsigned long i;
  for (b = 0; b < WG_BUFFERS; ++b) {
    wg_at[b] = wg_region(c->region[b]) + c->start[b];
    wg_bytes[b] = b == WG_PARAMETER   ? (unsigned long)sizeof(ConvParameter)
                  : b == WG_WORKSPACE ? c->workspace
                                      : c->elems[b] * WG_ELEM_BYTES;
    wg_paint(wg_at[b] - WG_MARGIN, WG_MARGIN, poison[b]);
    wg_paint(wg_at[b] + wg_bytes[b], WG_MARGIN, poison[b]);
  }
  for (b = WG_DY; b <= WG_BIAS; others += c->others[b++])
    for (i = 0; i < c->elems[b]; ++i) wg_store(wg_at[b] + i * WG_ELEM_BYTES, wg_element(c, b, i, others));
  wg_paint(wg_at[WG_WORKSPACE], wg_bytes[WG_WORKSPACE], poison[WG_INSIDE]);
  wg_set_parameter((ConvParameter*)(void*)wg_at[WG_PARAMETER], c, wg_at[WG_WORKSPACE]);
}

/* Looks for the written byte that is nearest to the buffer. */
static void wg_look_around(int b, int poison, struct wg_seen* seen) {
  const unsigned char* const end = wg_at[b] + wg_bytes[b];
  unsigned long k;
  for (k = 0; k < WG_MARGIN && !seen->stray; ++k) {
    const int after = WGRADCHECK_PEEK(end + k) != poison;
    if (!after && WGRADCHECK_PEEK(wg_at[b] - 1 - k) == poison) continue;
    seen->stray = b + 1;
    seen->before = !after;
    seen->far = after ? wg_bytes[b] + k : k + 1;
  }
}

static void wg_inspect(const struct wg_case* c, const struct wg_other* others, const unsigned char* poison,
                       struct wg_seen* seen) {
  unsigned long i;
  int b;
  for (b = 0; b < WG_BUFFERS; ++b) wg_look_around(b, poison[b], seen);
  for (b = WG_DY; b <= WG_BIAS; others += c->others[b++])
    for (i = 0; b != WG_DW && i < c->elems[b] && !seen->altered; ++i)
      if (wg_load(wg_at[b] + i * WG_ELEM_BYTES) != wg_element(c, b, i, others)) {
        seen->altered = b + 1;
        seen->element = i;
      }
  if (!seen->field)
    seen->field =
        wg_changed_field((const ConvParameter*)(const void*)wg_at[WG_PARAMETER], c, wg_at[WG_WORKSPACE]);
  for (i = wg_bytes[WG_WORKSPACE]; i > seen->used; --i)
    if (WGRADCHECK_PEEK(wg_at[WG_WORKSPACE] + i - 1) != poison[WG_INSIDE]) seen->used = i;
}

/* One call, its memory poisoned with `poison` but for one area. */
static struct wg_wide wg_run(const struct wg_case* c, const struct wg_other* others, int poison, int area,
                             int poison_there, struct wg_seen* seen) {
  unsigned char poisons[WG_AREAS];
  int a;
  for (a = 0; a < WG_AREAS; ++a) poisons[a] = (unsigned char)(a == area ? poison_there : poison);
  wg_prepare(c, others, poisons);
  wg_call(wg_at[WG_DY], wg_at[WG_X], wg_at[WG_DW], c->elems[WG_BIAS] ? wg_at[WG_BIAS] : (unsigned char*)0,
          (ConvParameter*)(void*)wg_at[WG_PARAMETER], (int)c->core_mask);
  wg_inspect(c, others, poisons, seen);
  return wg_digest();
}
