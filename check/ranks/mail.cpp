#include "check/ranks/mail.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "check/bundled.hpp"
#include "check/kernel.hpp"
#include "check/mpi/letters.h"
#include "check/text.hpp"

namespace wgradcheck::check {

/// The functions of the bundled library, which stays loaded.
struct Carrier {
  decltype(&wgradcheck_mpi_start) start;
  decltype(&wgradcheck_mpi_send) send;
  decltype(&wgradcheck_mpi_receive) receive;
  decltype(&wgradcheck_mpi_is_idle) is_idle;
  decltype(&wgradcheck_mpi_end) end;
};

namespace {

/// The first byte of a letter: whether the message ends in it.
constexpr char kMore = '+', kLast = '.';

Carrier& carrier() {
  static Carrier all{};
  const std::string library = bundled_library("mpi");
  if (!std::filesystem::exists(library))
    throw BadInput{
        "ranks of mpirun share a check where wgradcheck was built with MPI (libopenmpi-dev), and this one "
        "was not; --shard and merge do it by hand"};
  // MPI loads parts of itself that look for its symbols in the program.
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!loaded) throw BadInput{fmt::format("cannot load MPI: {}", dlerror())};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(loaded, name));
    if (!function) throw BadInput{fmt::format("cannot load MPI: {}", dlerror())};
  };
  find(all.start, "wgradcheck_mpi_start");
  find(all.send, "wgradcheck_mpi_send");
  find(all.receive, "wgradcheck_mpi_receive");
  find(all.is_idle, "wgradcheck_mpi_is_idle");
  find(all.end, "wgradcheck_mpi_end");
  return all;
}

}  // namespace

int ranks_of_mpirun() {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return size ? std::max(whole_number<int>(size).value_or(1), 1) : 1;
}

Mail::Mail() : carrier_(&carrier()) {
  if (const int error = carrier_->start(&rank_, &ranks_))
    throw BadInput{fmt::format("MPI does not start: error {}", error)};
}

void Mail::send(int to, const Json& message) const {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kMost = kWgradcheckMpiBytes - 1;
  for (std::size_t at = 0; at == 0 || at < text.size(); at += kMost) {
    const std::string letter = (at + kMost < text.size() ? kMore : kLast) + text.substr(at, kMost);
    carrier_->send(to, letter.data(), static_cast<int>(letter.size()));
  }
}

std::optional<std::pair<int, Mail::Json>> Mail::next() {
  std::array<char, kWgradcheckMpiBytes> letter;
  int from = 0;
  for (int count = 0; (count = carrier_->receive(&from, letter.data())) > 0;) {
    std::string& message = unread_[from];
    message.append(letter.data() + 1, static_cast<std::size_t>(count) - 1);
    if (letter[0] == kMore) continue;
    return std::pair{from, Json::parse(std::exchange(message, {}))};
  }
  return std::nullopt;
}

bool Mail::is_idle() const { return carrier_->is_idle() != 0; }

void Mail::leave() const { carrier_->end(); }

}  // namespace wgradcheck::check
