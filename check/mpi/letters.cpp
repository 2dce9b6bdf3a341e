#include "check/mpi/letters.h"

// Open MPI's header brings its C++ bindings, which are no more in use.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <list>
#include <vector>

namespace {

using Letter = std::array<char, kWgradcheckMpiBytes>;

/// A letter on its way.
struct Sent {
  Letter bytes;
  MPI_Request request;
};

/// Where the next letter of a rank goes. Each rank has a place of its own: a letter that breaks off keeps
/// nobody else's waiting.
struct Place {
  int from;
  Letter bytes;
};

std::list<Sent> sent;
std::vector<Place> places;
std::vector<MPI_Request> arriving;

void await(std::size_t i) {
  MPI_Irecv(places[i].bytes.data(), kWgradcheckMpiBytes, MPI_CHAR, places[i].from, 0, MPI_COMM_WORLD,
            &arriving[i]);
}

void forget_those_that_left() {
  sent.remove_if([](Sent& one) {
    int left = 0;
    MPI_Test(&one.request, &left, MPI_STATUS_IGNORE);
    return left != 0;
  });
}

}  // namespace

#define EXPORTED [[gnu::visibility("default")]]

EXPORTED int wgradcheck_mpi_start(int* rank, int* ranks) {
  if (const int error = MPI_Init(nullptr, nullptr); error != MPI_SUCCESS) return error;
  // A rank that is gone is no reason to end the others.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, ranks);
  for (int other = *rank == 0 ? 1 : 0; other < (*rank == 0 ? *ranks : 1); ++other)
    places.push_back({other, {}});
  arriving.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) await(i);
  return 0;
}

EXPORTED void wgradcheck_mpi_send(int to, const char* bytes, int count) {
  sent.emplace_back();
  std::copy_n(bytes, count, sent.back().bytes.begin());
  MPI_Isend(sent.back().bytes.data(), count, MPI_CHAR, to, 0, MPI_COMM_WORLD, &sent.back().request);
}

EXPORTED int wgradcheck_mpi_receive(int* from, char* bytes) {
  forget_those_that_left();
  int which = MPI_UNDEFINED, is_there = 0, count = 0;
  MPI_Status status;
  const int error =
      MPI_Testany(static_cast<int>(arriving.size()), arriving.data(), &which, &is_there, &status);
  if (error != MPI_SUCCESS || !is_there || which == MPI_UNDEFINED) return -1;
  const auto i = static_cast<std::size_t>(which);
  MPI_Get_count(&status, MPI_CHAR, &count);
  *from = places[i].from;
  std::copy_n(places[i].bytes.begin(), count, bytes);
  await(i);
  return count;
}

EXPORTED int wgradcheck_mpi_is_idle(void) {
  forget_those_that_left();
  return sent.empty();
}

EXPORTED void wgradcheck_mpi_end(void) {
  for (MPI_Request& request : arriving) {
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  MPI_Finalize();
}
