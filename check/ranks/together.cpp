#include "check/ranks/together.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "check/kernel.hpp"
#include "check/ranks/ledger.hpp"
#include "check/ranks/mail.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPause = 5ms, kBeat = 1000ms;
constexpr auto kPatience = 10s;    ///< with a rank that says nothing
constexpr auto kLastCall = 600ms;  ///< of the second that mpirun leaves between asking and killing

volatile std::sig_atomic_t asked_to_end = 0;

/// One rank: its helper, what others say, and a sign of life each second.
class Rank {
 public:
  explicit Rank(const Joint& joint)
      : helper_([&joint](const Json& order, const Helper::Owner& owner) {
          joint.run(order.at("shard").get<std::string>(), order.at("seed").get<std::uint64_t>(), owner);
        }) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) std::signal(signal, [](int) { asked_to_end = 1; });
  }

 protected:
  void start(std::uint64_t seed) {
    helper_.order({{"shard", fmt::format("{}/{}", mail_.rank() + 1, mail_.ranks())}, {"seed", seed}});
  }

  /// Tells `hear` what the helper tells and how it dies; returns whether it is time for a sign of life.
  template <class Hear>
  bool turn(const Hear& hear) {
    std::this_thread::sleep_for(kPause);
    if (asked_to_end) helper_.stop();
    // Before what it told is read, so that nothing of that is missed.
    const auto death = helper_.death();
    while (const auto told = helper_.next()) hear(*told);
    if (death) hear(Json{{"died", *death}});
    if (Clock::now() - beat_ < kBeat) return false;
    beat_ = Clock::now();
    return true;
  }

  Helper helper_;  ///< started before MPI, of which it has nothing
  Mail mail_;
  Clock::time_point beat_ = Clock::now();
};

class First : Rank {
 public:
  explicit First(const Joint& joint)
      : Rank(joint), joint_(joint), ledger_(mail_.ranks(), kPatience, Clock::now()) {}

  int run() {
    to_others({{"seed", joint_.seed}});
    start(joint_.seed);
    while (!ledger_.over(Clock::now()) && !is_last_call_over()) {
      if (turn([this](const Json& told) { hear(0, told); })) beat();
      while (const auto letter = mail_.next()) hear(letter->first, letter->second);
    }
    const bool all_there = !ledger_.lost_one(Clock::now()) && !asked_to_end;
    const Leave leave{this, all_there};
    if (const auto& error = ledger_.error()) {
      if (error->second == 2) throw BadInput{error->first};
      throw std::runtime_error(error->first);
    }
    const Json report = ledger_.report();
    if (report.is_null()) throw std::runtime_error("no rank came to an end, so there is no verdict");
    return joint_.conclude(report);
  }

 private:
  /// Sends the others home at the end, however it comes.
  struct Leave {
    First* first;
    bool all_there;
    ~Leave() {
      first->to_others({{"leave", all_there}});
      if (all_there) first->mail_.leave();
      const auto end = Clock::now() + kLastCall;
      while (!all_there && !first->mail_.is_idle() && Clock::now() < end) std::this_thread::sleep_for(kPause);
    }
  };

  void hear(int rank, const Json& message) {
    ledger_.hear(rank, message, Clock::now());
    if (stopping_ || !joint_.stop_at_first || !ledger_.has_counterexample()) return;
    stopping_ = true;
    helper_.stop();
    to_others({{"stop", true}});
  }

  void beat() {
    hear(0, Json::object());
    to_others(Json::object());
  }

  /// When all are asked to end, there is a moment in which ranks can still say what they know.
  bool is_last_call_over() {
    if (!asked_to_end) return false;
    if (!last_call_) last_call_ = Clock::now() + kLastCall;
    return Clock::now() > *last_call_;
  }

  void to_others(const Json& message) const {
    for (int r = 1; r < mail_.ranks(); ++r) mail_.send(r, message);
  }

  const Joint& joint_;
  Ledger ledger_;
  bool stopping_ = false;
  std::optional<Clock::time_point> last_call_;
};

class Further : Rank {
 public:
  using Rank::Rank;

  int run() {
    auto heard = Clock::now();
    for (;;) {
      if (turn([this](const Json& told) { mail_.send(0, told); })) mail_.send(0, Json::object());
      while (const auto letter = mail_.next()) {
        heard = Clock::now();
        const Json& message = letter->second;
        if (message.contains("seed")) start(message.at("seed").get<std::uint64_t>());
        if (message.contains("stop")) helper_.stop();
        if (!message.contains("leave")) continue;
        if (message.at("leave").get<bool>()) mail_.leave();
        return 0;
      }
      // Without rank 0 nobody asks for the answer.
      if (Clock::now() - heard > kPatience) return 0;
    }
  }
};

}  // namespace

int check_together(const Joint& joint) {
  // mpirun says which rank this is before MPI starts.
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank && std::string(rank) == "0" ? First(joint).run() : Further(joint).run();
}

}  // namespace wgradcheck::check
