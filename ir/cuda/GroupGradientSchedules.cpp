// How the gradient of an attention is cut on a GPU, by products of four warps.
#include "ir/cuda/GroupGradientSchedules.h"

#include "ir/cuda/AttentionSchedules.h"

using namespace mlir;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

/// Whether all that tiles are copied of is stored as bf16, with a depth and values that are known
/// and fit a tile.
static bool differentiatesNarrow(KernelCase kernel, const kernel::AttentionForm &form) {
  constexpr int64_t most = 128;
  auto fits = [&](ArrayRef<model::DimAttr> dims) {
    std::optional<int64_t> count = kernel.dims.known(kernel::sizeOf(dims));
    return count && *count >= 1 && *count <= most;
  };
  auto isNarrow = [&](unsigned buffer) {
    Attribute layout = kernel.op.getLayoutsAttr()[buffer];
    return isa<kernel::LayoutAttr>(layout) && kernel::storageIn(layout);
  };
  return fits(form.depth) && fits(form.values) && isNarrow(form.q) && isNarrow(form.k) &&
         isNarrow(form.v) && isNarrow(form.gradient) && isNarrow(form.output.front());
}

std::optional<GradientTensors>
gradientTensorsOf(KernelCase kernel, const kernel::AttentionForm &form, std::string &why) {
  std::optional<SplitRows> split = splitRows(kernel, form);
  if (!split) {
    why = "the queries are packed";
    return std::nullopt;
  }
  GradientTensors all = {*split, {}, {}, {}, {}, {}};
  kernel::DimList batch(form.batch);
  llvm::append_range(batch, all.apart);
  const struct {
    unsigned buffer;
    const kernel::DimList &rows, &columns;
    TensorSide &side;
  } sides[] = {{form.q, all.rows, form.depth, all.queries},
               {form.k, form.keys, form.depth, all.keys},
               {form.v, form.keys, form.values, all.values},
               {form.gradient, all.rows, form.values, all.gradient},
               {form.output.front(), all.rows, form.values, all.output}};
  for (const auto &each : sides) {
    Value operand = kernel.op.getBody().front().getArgument(each.buffer);
    auto side = tensorSideOf(kernel, operand, batch, each.rows, each.columns, why);
    if (side && !side->alongDepth) {
      why = ("operand " + Twine(each.buffer) + " does not lie along its last dimension").str();
      side = std::nullopt;
    }
    if (!side)
      return std::nullopt;
    each.side = *side;
  }
  return all;
}

std::string groupGradientProblem(KernelCase kernel, WgmmaAttentionGradAttr schedule,
                                 const Device &device) {
  if (!device.exact)
    return ("is for sm_90a alone, not for " + device.name).str();
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return "is of what is no gradient of attention";
  if (!form->summed.empty())
    return "would sum a gradient over several positions of the batch";
  if (!differentiatesNarrow(kernel, *form))
    return "reads what is not stored as bf16, or a depth or values that are not known or beyond "
           "128";
  int64_t depth = *kernel.dims.known(kernel::sizeOf(form->depth)),
          values = *kernel.dims.known(kernel::sizeOf(form->values));
  if (int64_t shared = schedule.sharedBytes(depth, values); shared > device.mostShared)
    return ("shares " + Twine(shared) + " bytes in a block, and " + Twine(device.mostShared) +
            " are the most")
        .str();
  std::string why;
  return gradientTensorsOf(kernel, *form, why) ? "" : "copies tiles of tensors, and " + why;
}

WgmmaAttentionGradAttr groupGradientFor(KernelCase kernel, const Device &device) {
  auto schedule = WgmmaAttentionGradAttr::get(kernel.op.getContext(), 2);
  if (!groupGradientProblem(kernel, schedule, device).empty())
    return {};
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  auto known = [&](ArrayRef<model::DimAttr> dims) {
    return kernel.dims.known(kernel::sizeOf(dims));
  };
  // A tile that is half empty is no faster than what has smaller ones.
  for (ArrayRef<model::DimAttr> dims : {ArrayRef(form->depth), ArrayRef(form->values)})
    if (4 * *known(dims) < 3 * WgmmaAttentionGradAttr::wide(*known(dims)))
      return {};
  std::string why;
  GradientTensors tensors = *gradientTensorsOf(kernel, *form, why);
  int64_t few = WgmmaAttentionGradAttr::rows() / 2;
  if (known(tensors.rows).value_or(few) < few || known(form->keys).value_or(few) < few)
    return {};
  return schedule;
}

FailureOr<ScheduleAttr> withoutTensors(KernelCase kernel, WgmmaAttentionGradAttr attention,
                                       const Device &device) {
  if (attentionOfManyFor(kernel, device) != attention)
    return kernel.op.emitOpError()
           << attention
           << " copies tiles of tensors, and an operand does not begin at a multiple of "
           << tensorAlignment << " bytes in every launch; use `cuda.mma_attention_grad`";
  if (ScheduleAttr other = attentionOfManyFor(kernel, device, /*tensors=*/false))
    return other;
  return kernel.op.emitOpError("has operands that do not begin at a multiple of ")
         << tensorAlignment << " bytes in every launch; give it a schedule `cuda.attention_grad`";
}

LogicalResult checkGroupGradient(KernelCase kernel, WgmmaAttentionGradAttr schedule,
                                 const Device &device) {
  std::string problem = groupGradientProblem(kernel, schedule, device);
  if (problem.empty())
    return success();
  return kernel.op.emitOpError() << schedule << ": " << problem
                                 << "; its schedule is one of `cuda.mma_attention_grad`, "
                                    "`cuda.attention_grad` or of rows";
}

} // namespace weft::cuda
