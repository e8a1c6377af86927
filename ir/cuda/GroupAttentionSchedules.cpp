// How attention is cut on a GPU, by products of four warps.
#include "ir/cuda/GroupAttentionSchedules.h"

#include "ir/cuda/AttentionSchedules.h"

using namespace mlir;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

/// Whether queries, keys and values are stored as bf16, with a depth and values that are known and
/// fit a tile.
static bool attendsNarrow(KernelCase kernel) {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return false;
  constexpr int64_t most = 128;
  auto fits = [&](ArrayRef<model::DimAttr> dims) {
    std::optional<int64_t> count = kernel.dims.known(kernel::sizeOf(dims));
    return count && *count >= 1 && *count <= most;
  };
  auto isNarrow = [&](unsigned buffer) {
    Attribute layout = kernel.op.getLayoutsAttr()[buffer];
    return isa<kernel::LayoutAttr>(layout) && kernel::storageIn(layout);
  };
  return fits(form->depth) && fits(form->values) && isNarrow(form->q) && isNarrow(form->k) &&
         isNarrow(form->v);
}

kernel::DimList AttentionTensors::batch(const kernel::AttentionForm &form) const {
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
  if (!attendsNarrow(kernel))
    return "attends to what is not stored as bf16, or by a depth or values that are not known or "
           "beyond 128";
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
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
  auto known = [&](ArrayRef<model::DimAttr> dims) {
    return kernel.dims.known(kernel::sizeOf(dims));
  };
  // A tile that is half empty is no faster than what has smaller ones.
  for (ArrayRef<model::DimAttr> dims : {ArrayRef(form->depth), ArrayRef(form->values)})
    if (4 * *known(dims) < 3 * WgmmaAttentionAttr::wide(*known(dims)))
      return {};
  std::string why;
  AttentionTensors tensors = *attentionTensorsOf(kernel, *form, why);
  int64_t few = WgmmaAttentionAttr::rows() / 2;
  if (known(tensors.rows).value_or(few) < few || known(form->keys).value_or(few) < few)
    return {};
  return schedule;
}

FailureOr<ScheduleAttr> withoutTensors(KernelCase kernel, WgmmaAttentionAttr attention,
                                       const Device &device) {
  if (attentionOfManyFor(kernel, device) != attention)
    return kernel.op.emitOpError()
           << attention
           << " copies tiles of tensors, and an operand does not begin at a multiple of "
           << tensorAlignment << " bytes in every launch; use `cuda.mma_attention`";
  if (ScheduleAttr other = attentionOfManyFor(kernel, device, /*tensors=*/false))
    return other;
  return kernel.op.emitOpError("has operands that do not begin at a multiple of ")
         << tensorAlignment << " bytes in every launch; give it a schedule `cuda.attention`";
}

LogicalResult checkGroupAttention(KernelCase kernel, WgmmaAttentionAttr schedule,
                                  const Device &device) {
  std::string problem = groupAttentionProblem(kernel, schedule, device);
  if (problem.empty())
    return success();
  return kernel.op.emitOpError() << schedule << ": " << problem
                                 << "; its schedule is one of `cuda.mma_attention`, "
                                    "`cuda.attention` or of rows";
}

} // namespace weft::cuda
