// A side of a product as a tensor of which tiles are copied.
#include "ir/cuda/TensorSide.h"

using namespace mlir;
using weft::kernel::isMultiple;
using weft::kernel::Walk;

namespace weft::cuda {

std::optional<TensorSide> tensorSideOf(KernelCase kernel, Value side,
                                       ArrayRef<model::DimAttr> batch,
                                       ArrayRef<model::DimAttr> across,
                                       ArrayRef<model::DimAttr> depth, std::string &why) {
  unsigned number = cast<BlockArgument>(side).getArgNumber();
  auto layout = dyn_cast<kernel::LayoutAttr>(kernel.op.getLayoutsAttr()[number]);
  auto refuse = [&](const Twine &text) {
    why = ("operand " + Twine(number) + " " + text).str();
    return std::nullopt;
  };
  if (!layout)
    return refuse("is packed");
  TensorSide tensor;
  Walk walks[] = {walkOver(kernel.dims, layout, across), walkOver(kernel.dims, layout, depth)};
  for (const Walk &walk : walks)
    if (!walk.linear())
      return refuse("has rows, columns or a depth of several dimensions that do not lie as one");
  auto only = [](const Walk &walk) {
    return walk.groups.empty() ? std::nullopt : std::optional(walk.groups.front());
  };
  tensor.across = only(walks[0]);
  tensor.depth = only(walks[1]);
  if (!walks[0].contiguous() && !walks[1].contiguous())
    return refuse("is contiguous neither along its depth nor across it");
  // A depth of one element is contiguous to nothing: what lies across has to be, or is further
  // apart.
  tensor.alongDepth =
      tensor.depth ? walks[1].contiguous() : !tensor.across || !walks[0].contiguous();
  constexpr int64_t piece = tensorAlignment / 2; // elements
  auto isTaken = [&](const std::optional<Walk::Group> &group) {
    return !group || (group->stride != Size::number(0) && isMultiple(group->stride, piece));
  };
  if (!isTaken(tensor.alongDepth ? tensor.across : tensor.depth))
    return refuse("has rows that are not whole pieces of 16 bytes, or are all the same");
  unsigned rank = 2;
  for (const Walk::Group &group : walkOver(kernel.dims, layout, batch).groups) {
    tensor.batch.push_back(group);
    if (group.stride == Size::number(0))
      continue;
    if (!isMultiple(group.stride, piece))
      return refuse("has a batch whose parts are not whole pieces of 16 bytes");
    ++rank;
  }
  constexpr unsigned most = 5;
  if (rank > most)
    return refuse("has " + Twine(rank) + " dimensions, and a tensor has at most " + Twine(most));
  return tensor;
}

} // namespace weft::cuda
