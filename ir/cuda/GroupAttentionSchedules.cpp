// How attention is cut on a GPU, by products of four warps.
#include "ir/cuda/GroupAttentionSchedules.h"

using namespace mlir;

namespace weft::cuda {

bool fitsGroupTiles(KernelCase kernel, const kernel::AttentionForm &form,
                    ArrayRef<unsigned> buffers) {
  constexpr int64_t most = 128;
  auto fits = [&](ArrayRef<model::DimAttr> dims) {
    std::optional<int64_t> count = kernel.dims.known(kernel::sizeOf(dims));
    return count && *count >= 1 && *count <= most;
  };
  return fits(form.depth) && fits(form.values) && llvm::all_of(buffers, [&](unsigned buffer) {
           Attribute layout = kernel.op.getLayoutsAttr()[buffer];
           return isa<kernel::LayoutAttr>(layout) && kernel::storageIn(layout);
         });
}

bool fillsGroupTiles(KernelCase kernel, const kernel::AttentionForm &form, const SplitRows &split) {
  auto known = [&](ArrayRef<model::DimAttr> dims) {
    return kernel.dims.known(kernel::sizeOf(dims));
  };
  // A tile that is half empty is no faster than what has smaller ones.
  for (ArrayRef<model::DimAttr> dims : {ArrayRef(form.depth), ArrayRef(form.values)})
    if (4 * *known(dims) < 3 * WgmmaAttentionAttr::wide(*known(dims)))
      return false;
  int64_t few = WgmmaAttentionAttr::rows() / 2;
  return known(split.rows).value_or(few) >= few && known(form.keys).value_or(few) >= few;
}

kernel::DimList SplitRows::batch(const kernel::AttentionForm &form) const {
  kernel::DimList all(form.batch);
  llvm::append_range(all, apart);
  return all;
}

std::optional<SplitRows> splitRows(KernelCase kernel, const kernel::AttentionForm &form) {
  auto layout = dyn_cast<kernel::LayoutAttr>(kernel.op.getLayoutsAttr()[form.q]);
  if (!layout)
    return std::nullopt;
  SplitRows split;
  for (model::DimAttr dim : form.rows) {
    kernel::DimList longer(split.rows);
    longer.push_back(dim);
    bool isOne = split.apart.empty() && walkOver(kernel.dims, layout, longer).linear();
    (isOne ? split.rows : split.apart).push_back(dim);
  }
  return split;
}

std::optional<AttentionTensors>
attentionTensorsOf(KernelCase kernel, const kernel::AttentionForm &form, std::string &why) {
  std::optional<SplitRows> split = splitRows(kernel, form);
  if (!split) {
    why = "the queries are packed";
    return std::nullopt;
  }
  AttentionTensors all = {*split, {}, {}, {}};
  auto sideOf = [&](unsigned number, ArrayRef<model::DimAttr> across,
                    ArrayRef<model::DimAttr> depth, bool alongDepth) {
    Value operand = kernel.op.getBody().front().getArgument(number);
    auto side = tensorSideOf(kernel, operand, all.batch(form), across, depth, why);
    if (side && side->alongDepth != alongDepth) {
      why = ("operand " + Twine(number) + " does not lie along its last dimension").str();
      side = std::nullopt;
    }
    return side;
  };
  auto queries = sideOf(form.q, all.rows, form.depth, true);
  auto keys = queries ? sideOf(form.k, form.keys, form.depth, true) : std::nullopt;
  auto values = keys ? sideOf(form.v, form.values, form.keys, false) : std::nullopt;
  if (!values)
    return std::nullopt;
  all.queries = *queries;
  all.keys = *keys;
  all.values = *values;
  return all;
}

std::string groupAttentionProblem(KernelCase kernel, WgmmaAttentionAttr schedule,
                                  const Device &device) {
  if (!device.exact)
    return ("is for sm_90a alone, not for " + device.name).str();
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form) || !fitsGroupTiles(kernel, *form, {form->q, form->k, form->v}))
    return "attends to what is not stored as bf16, or by a depth or values that are not known or "
           "beyond 128";
  if (!form->isPlain())
    return "has a cap, a bias or dropout";
  if (form->scale <= 0)
    return "scales scores by a factor that is not positive";
  int64_t depth = *kernel.dims.known(kernel::sizeOf(form->depth)),
          values = *kernel.dims.known(kernel::sizeOf(form->values));
  if (int64_t shared = schedule.sharedBytes(depth, values); shared > device.mostShared)
    return ("shares " + Twine(shared) + " bytes in a block, and " + Twine(device.mostShared) +
            " are the most")
        .str();
  std::string why;
  return attentionTensorsOf(kernel, *form, why) ? "" : "copies tiles of tensors, and " + why;
}

WgmmaAttentionAttr groupAttentionFor(KernelCase kernel, const Device &device) {
  auto schedule = WgmmaAttentionAttr::get(kernel.op.getContext(), 128, 2);
  if (!groupAttentionProblem(kernel, schedule, device).empty())
    return {};
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  std::string why;
  bool fills = fillsGroupTiles(kernel, *form, *attentionTensorsOf(kernel, *form, why));
  return fills ? schedule : WgmmaAttentionAttr();
}

} // namespace weft::cuda
