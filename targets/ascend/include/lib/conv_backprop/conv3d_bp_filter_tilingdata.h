#ifndef CONV3D_BP_FILTER_TILINGDATA_H
#define CONV3D_BP_FILTER_TILINGDATA_H

#include <cstdint>

// The structs through which the host tells a kernel how to cut its work, fields in the documented order.
// Sizes count elements unless said otherwise.

/// A problem and its tiles.
struct TConv3DBpFilterTiling {
  std::uint32_t batch, cin, cout;
  std::uint32_t cin1G, cout1G;  ///< blocks of 16 channels
  std::uint32_t dout, ho, wo;
  std::uint32_t di, hi, wi;
  std::uint32_t dk, hk, wk;
  std::uint32_t group;
  std::uint32_t strideD, strideH, strideW;
  std::uint32_t padFront, padBack, padUp, padDown, padLeft, padRight;
  std::uint32_t dilationD, dilationH, dilationW;  ///< 1 is dense
  std::uint32_t channelSize;                      ///< lanes of a channel block: 16
  /// Buffers of each kind: 1, or 2 where one is filled while the other is read.
  std::uint32_t al0Pbuffer, bl0Pbuffer, cl0Pbuffer, al1Pbuffer, bl1Pbuffer;
  std::uint32_t baseM, baseK, baseN;           ///< the tile in L0
  std::uint32_t m0, k0, n0;                    ///< the cube: 16 each
  std::uint32_t stepM, stepN, stepKa, stepKb;  ///< tiles in L1
  std::uint32_t iterateOrder;                  ///< 0: N tiles run fastest, 1: M tiles
  std::uint32_t bl1Bound;                      ///< elements of Input in one of L1's buffers for B
  std::uint32_t hf32Flag;
  std::uint32_t singleCoreDk, singleCoreGroup, singleCoreCout, singleCoreHo;
  std::uint64_t singleCoreBatch, singleCoreCin;
};

struct TConv3DBpFilterParams {
  std::uint32_t totalL1Size;  ///< bytes
};

/// What of M, N and K one SetSingleShape takes. K must still be clamped to whole rows of the plane.
struct TConv3DBpFilterBasicBlockTiling {
  std::uint32_t singleCoreM, singleCoreN, singleCoreK;
};

struct Conv3DBackpropFilterTilingData {
  TConv3DBpFilterParams params;
  TConv3DBpFilterTiling dwTiling;
  TConv3DBpFilterBasicBlockTiling basicBlockTiling;
};

#endif
