#pragma once
#include <cstdint>

#include "impl/bfloat.hpp"
#include "impl/half.hpp"

/// Micro-kernels. Each touches exactly the elements that its extents name; none reads past a tail. T is float
/// or Half; the best instruction set of the machine is chosen at run time.
namespace wgradcheck::impl::simd {

/// A strided matrix: element (i, j) is at[i * step + j].
template <class T>
struct Matrix {
  T* at;
  std::int64_t step;
};

/// c[i][j] += sum over k of a[k][i] * b[k][j] for i in [0, rows), j in [0, cols), k in [0, depth). Each
/// c[i][j] is one chain of additions in order of k that begins with its old value, so that cutting any of the
/// three ranges in pieces changes no bit.
template <class T>
void add_product(std::int64_t rows, std::int64_t cols, std::int64_t depth, Matrix<const T> a,
                 Matrix<const float> b, Matrix<float> c);

/// to[i][j] = from[i][j] as float for i in [0, rows), j in [0, cols). Also of Bfloat.
template <class T>
void copy(std::int64_t rows, std::int64_t cols, Matrix<const T> from, Matrix<float> to);

/// Pixels of a plane: pixel (i, j) holds its channels from at[i * row_step + j * col_step] on.
template <class T>
struct Plane {
  const T* at;
  std::int64_t row_step, col_step;
};

/// c[l * c_step] += sum over i in [0, rows), j in [0, cols) of dy(i, j)[l] * x(i, j)[l], for each channel l
/// in [0, channels): one chain of additions in order of i, j that begins with the old value.
template <class T>
void add_channel_products(std::int64_t channels, std::int64_t rows, std::int64_t cols, Plane<T> dy,
                          Plane<T> x, float* c, std::int64_t c_step);

/// Whether from[i][j] is finite for all i in [0, rows), j in [0, cols). Also of Bfloat.
template <class T>
bool all_finite(std::int64_t rows, std::int64_t cols, Matrix<const T> from);

}  // namespace wgradcheck::impl::simd
