#pragma once

extern "C" {

/// Bytes that a letter holds at most: few enough that MPI sends it without waiting for its receiver.
enum { kWgradcheckMpiBytes = 2048 };

/// Joins the job and tells this process's rank and how many there are. Returns 0, or an error of MPI.
int wgradcheck_mpi_start(int* rank, int* ranks);

/// Sends a letter from rank 0 to another, or from another to rank 0. Returns at once.
void wgradcheck_mpi_send(int to, const char* bytes, int count);

/// Copies a letter that has come, in the order in which its sender sent it, and returns how many bytes it
/// has; -1 where none has come. Never waits, whatever became of the others.
int wgradcheck_mpi_receive(int* from, char* bytes);

/// Whether every letter has left.
int wgradcheck_mpi_is_idle(void);

/// Leaves the job; waits for every rank to do the same.
void wgradcheck_mpi_end(void);
}
