#pragma once
#include <cstdint>
#include <functional>

namespace wgradcheck::impl::host {

/// Calls work(i) for each i in [0, count), and returns when all have returned: i > 0 in threads that this
/// process keeps, since starting one takes as long as a small problem. In the caller's thread alone where
/// another caller has those threads, or where the system gives none. work must not throw.
void work_together(std::int64_t count, const std::function<void(std::int64_t)>& work);

}  // namespace wgradcheck::impl::host
