#pragma once
#include <string>

#include "check/kernel.hpp"
#include "check/report/replay.hpp"
#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// A C99 program that makes the counterexample's call of the kernel it is compiled with, prints the first
/// wrong element with the value expected, and ends with 1; with 0 where the kernel is right. With several
/// cores it needs POSIX: each is a process.
std::string c_program(const Counterexample&, const Kernel&, const Promises&, const Invocation&);

}  // namespace wgradcheck::check
