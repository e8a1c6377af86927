// A contraction of numbers that are drawn, by a kernel of its own, and what it should give.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_CONTRACTIONCASE_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_CONTRACTIONCASE_H

#include "codegen/gpu/contraction/Group.h"
#include "codegen/gpu/contraction/Mma.h"
#include "tests/unit/codegen/gpu/EmulatedKernel.h"

namespace weft::test {

/// Two matrices and their product, as they lie in memory; `alongDepth`: the summed dimension is
/// contiguous.
struct ContractionCase {
  ContractionCase(gpu::Element element, int rows, int columns, int depth,
                  bool leftAlongDepth = true, bool rightAlongDepth = true)
      : element(element), rows(rows), columns(columns), depth(depth),
        leftAlongDepth(leftAlongDepth), rightAlongDepth(rightAlongDepth) {}

  gpu::Element element;
  int rows, columns, depth;
  bool leftAlongDepth, rightAlongDepth;
  bool rounded = false; ///< to tf32, in memory

  std::vector<char> left, right; ///< elements
  std::vector<double> expected, magnitude;
  void draw(uint64_t seed);
  /// How many of the results are further off than rounding may make them; NaNs are.
  int wrong(const std::vector<float> &result) const;
};

/// k(left, right, result, rows, columns, depth): a block for each tile. Sides are copied in pieces
/// of so many bytes, and what is contiguous is whole pieces long.
void buildMma(llvm::Module &module, const gpu::MmaTiles &tiles, bool leftAlongDepth,
              bool rightAlongDepth, unsigned pieceBytes = 16);

/// Runs such a kernel; what goes wrong, or how many results are, or "".
std::string runMma(EmulatedKernel &kernel, const gpu::MmaTiles &tiles, ContractionCase &given,
                   const emulator::Mode &mode);

/// k(left map, right map, result, rows, columns, depth), whatever the grid.
void buildGroup(llvm::Module &module, const gpu::GroupTiles &tiles);
/// Runs it by so many blocks.
std::string runGroup(EmulatedKernel &kernel, const gpu::GroupTiles &tiles, ContractionCase &given,
                     const emulator::Mode &mode, unsigned blocks);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_CONTRACTIONCASE_H
