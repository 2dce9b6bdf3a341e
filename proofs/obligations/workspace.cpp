#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// The documents' workspace: who may use which bytes of it.
namespace wgradcheck::proofs::obligations {
namespace {

/// Bytes of the float partial of one core.
template <class Int>
Int partial_bytes(const spec::Call<Int>& c) {
  return spec::dw_elems(c) * Int(spec::kFloatBytes);
}

/// dW of a valid call has at least one element.
template <class Reading, class Call>
void claim_dw(Reading& p, const Call& c) {
  const auto per_group = spec::floor_div(c.input_channel, c.group);
  p.use(product(0 - per_group, c.group));
  p.use(positive(c.kernel_h, c.kernel_w));
  p.use(positive(c.kernel_h * c.kernel_w, per_group));
  p.use(positive(c.output_channel, spec::row_elems(c)));
  p.claim("dW has an element", 1 <= spec::dw_elems(c));
}

/// The larger of what chunks and what partials need.
template <class Reading, class Call, class Int>
void claim_documented(Reading& p, const Call& c, const Int& bytes) {
  const Int chunks = c.buffer_size * 4, partials = c.core_num * partial_bytes(c);
  p.claim("enough for chunks or for partials", chunks <= bytes && partials <= bytes);
  p.claim("no more than one of them needs", bytes == chunks || bytes == partials);
}

}  // namespace

std::vector<Obligation> workspace() {
  return {
      holds("partials_fit",
            "Each core's partial lies in the documented workspace when scratch lies elsewhere.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto id = index_below(p, "id", c.core_num);
              const auto [first, bytes] = p.subject(
                  [&] { return std::pair(spec::partial_offset(c, id), spec::documented_workspace(c)); });
              claim_dw(p, c);
              p.use(product(id, spec::dw_elems(c)));
              p.use(monotone(id + 1, c.core_num, spec::dw_elems(c)));
              claim_documented(p, c, bytes);
              p.claim("the partials of the cores before it lie before it", first == id * partial_bytes(c));
              p.claim("inside", 0 <= first && first + partial_bytes(c) <= bytes);
            }),
      holds("slabs_disjoint", "The partials of two cores share no byte.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto id = index_below(p, "id", c.core_num), other = index_below(p, "other", c.core_num);
              p.assume("another core", id < other);
              const auto [left, right] = p.subject(
                  [&] { return std::pair(spec::partial_offset(c, id), spec::partial_offset(c, other)); });
              claim_dw(p, c);
              p.use(monotone(id + 1, other, spec::dw_elems(c)));
              p.claim("apart", left + partial_bytes(c) <= right);
              p.claim("one behind the other",
                      left == id * partial_bytes(c) && right == other * partial_bytes(c));
            }),
      holds("private_fits",
            "A chunk, and from byte 2*buffer_size_ half a buffer of floats, lie in the workspace.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto [chunk, bytes] = p.subject([&] {
                return std::pair(spec::chunk(c) * spec::row_bytes(c), spec::documented_workspace(c));
              });
              claim_dw(p, c);
              p.use(positive(spec::row_elems(c), c.elem_bytes));
              const auto second_half = c.buffer_size * 2;
              claim_documented(p, c, bytes);
              p.claim("as many rows as half the buffer holds",
                      chunk * 2 <= c.buffer_size && (chunk + spec::row_bytes(c)) * 2 > c.buffer_size);
              p.claim("the chunk ends before the second half", chunk <= second_half);
              p.claim("the floats end inside",
                      second_half + spec::half_buffer(c) * spec::kFloatBytes <= bytes);
            }),
      holds("safe_fits",
            "In the safe workspace each core has scratch and a partial that no other core touches.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto id = index_below(p, "id", c.core_num);
              const auto bytes = p.subject([&] { return spec::safe_workspace(c); });
              const auto each = spec::chunk_workspace(c) + partial_bytes(c);
              claim_dw(p, c);
              p.use(positive(spec::row_elems(c), c.elem_bytes));
              p.use(monotone(id + 1, c.core_num, each));
              p.use(product(id, each));
              p.claim("inside", 0 <= id * each && id * each + each <= bytes);
              p.claim("no more than each core needs", bytes == c.core_num * each);
            }),
      fails("scratch_and_partials", "The documented workspace holds scratch and all partials at once.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.claim("both fit", spec::chunk_workspace(c) + spec::partial_workspace(c) <=
                                      p.subject([&] { return spec::documented_workspace(c); }));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
