// How large the pieces are that a side of a product can be copied in.
#include "codegen/gpu/contraction/Pieces.h"

using namespace llvm;

namespace weft::gpu {

using kernel::Walk;

/// Whether all strides are multiples, but that of the last group where pieces lie along it.
static bool keepsMultiples(const Walk &walk, int64_t number, bool along) {
  ArrayRef<Walk::Group> groups(walk.groups);
  if (along)
    groups = groups.drop_back(groups.empty() ? 0 : 1);
  return all_of(groups,
                [&](const Walk::Group &group) { return kernel::isMultiple(group.stride, number); });
}

Pieces piecesOf(const Walk &batch, const Walk &across, const Walk &depth, unsigned bytes,
                unsigned alignment) {
  constexpr unsigned most = 16;
  for (unsigned elements = most / bytes; elements > 1; elements /= 2)
    for (bool alongDepth : {true, false}) {
      const Walk &along = alongDepth ? depth : across, &other = alongDepth ? across : depth;
      if (alignment % (elements * bytes) == 0 && along.contiguousBy(elements) &&
          keepsMultiples(along, elements, true) && keepsMultiples(other, elements, false) &&
          keepsMultiples(batch, elements, false))
        return {alongDepth, elements};
    }
  return {!across.contiguous() || depth.contiguous(), 1};
}

} // namespace weft::gpu
