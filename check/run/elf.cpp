#include "check/run/elf.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr int kMachine = EM_RISCV;
#endif
constexpr int kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

std::string machine_name(int machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "AArch64";
    case EM_ARM:
      return "32-bit Arm";
    case EM_RISCV:
      return "RISC-V";
    case EM_TI_C6000:
      return "TI C6000";
    default:
      return fmt::format("ELF machine {}", machine);
  }
}

/// A file's bytes; what lies beyond its end is nothing instead of undefined.
class Bytes {
 public:
  explicit Bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    data_.assign(std::istreambuf_iterator<char>(in), {});
  }

  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > data_.size() || data_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, data_.data() + offset, sizeof value);
    return value;
  }

  std::string text(std::uint64_t offset) const {
    return offset < data_.size() ? std::string(data_.c_str() + offset) : std::string();
  }

 private:
  std::string data_;
};

bool is_exported_function(const Symbol& s) {
  const int type = ELF64_ST_TYPE(s.st_info), bind = ELF64_ST_BIND(s.st_info);
  return s.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) &&
         (bind == STB_GLOBAL || bind == STB_WEAK);
}

}  // namespace

bool is_elf(const std::string& path) { return Bytes(path).text(0).starts_with(ELFMAG); }

std::vector<std::string> exported_functions(const std::string& path) {
  const Bytes file(path);
  const auto header = file.at<Header>(0);
  if (!is_elf(path) || !header) throw BadInput{fmt::format("{} is not an ELF file", path)};
  if (header->e_ident[EI_CLASS] != kClass || header->e_machine != kMachine)
    throw BadInput{
        fmt::format("{} is built for {}{}, this machine is {}", path, machine_name(header->e_machine),
                    header->e_machine == kMachine ? " of another word size" : "", machine_name(kMachine))};
  if (header->e_type != ET_DYN)
    throw BadInput{fmt::format("{} is an ELF file but not a shared object", path)};

  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = file.at<Section>(header->e_shoff + i * sizeof(Section));
    if (!section || section->sh_type != SHT_DYNSYM) continue;
    const auto names = file.at<Section>(header->e_shoff + section->sh_link * sizeof(Section));
    if (!names) break;
    std::vector<std::string> functions;
    for (std::uint64_t at = 0; at < section->sh_size; at += sizeof(Symbol)) {
      const auto symbol = file.at<Symbol>(section->sh_offset + at);
      if (!symbol) throw BadInput{fmt::format("{} is cut short", path)};
      if (is_exported_function(*symbol)) functions.push_back(file.text(names->sh_offset + symbol->st_name));
    }
    return functions;
  }
  throw BadInput{fmt::format("{} has no dynamic symbol table", path)};
}

}  // namespace wgradcheck::check
