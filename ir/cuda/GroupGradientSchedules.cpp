// How the gradient of an attention is cut on a GPU, by products of four warps.
#include "ir/cuda/GroupGradientSchedules.h"

using namespace mlir;

namespace weft::cuda {

std::optional<GradientTensors>
gradientTensorsOf(KernelCase kernel, const kernel::AttentionForm &form, std::string &why) {
  std::optional<SplitRows> split = splitRows(kernel, form);
  if (!split) {
    why = "the queries are packed";
    return std::nullopt;
  }
  GradientTensors all = {*split, {}, {}, {}, {}, {}};
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
    auto side = tensorSideOf(kernel, operand, all.batch(form), each.rows, each.columns, why);
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
  if (!form->isPlain())
    return "has a cap, a bias or dropout";
  if (!form->summed.empty())
    return "would sum a gradient over several positions of the batch";
  if (!fitsGroupTiles(kernel, *form,
                      {form->q, form->k, form->v, form->gradient, form->output.front()}))
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

static constexpr int64_t narrowTile = 64, wideTile = 128;

/// Whoever multiplies waits for products, for weights and for products again in each tile: of a
/// large one there are fewer. Sums along a small depth leave the registers for it, if what is
/// multiplied is one number each.
static int64_t columnsFor(KernelCase kernel, const kernel::AttentionForm &form) {
  constexpr int64_t small = 64;
  auto isSmall = [&](ArrayRef<model::DimAttr> dims) {
    std::optional<int64_t> count = kernel.dims.known(kernel::sizeOf(dims));
    return count && *count <= small;
  };
  bool fits = form.narrowWeights && isSmall(form.depth) && isSmall(form.values);
  return fits ? wideTile : narrowTile;
}

WgmmaAttentionGradAttr groupGradientFor(KernelCase kernel, const Device &device) {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  int64_t columns = succeeded(form) ? columnsFor(kernel, *form) : narrowTile;
  constexpr int64_t mostStages = 4, leastStages = 2;
  WgmmaAttentionGradAttr schedule;
  for (int64_t stages = mostStages; stages >= leastStages; --stages) {
    schedule = WgmmaAttentionGradAttr::get(kernel.op.getContext(), columns, stages);
    if (groupGradientProblem(kernel, schedule, device).empty())
      break;
    schedule = {};
  }
  if (!schedule)
    return {};
  std::string why;
  bool fills = fillsGroupTiles(kernel, *form, *gradientTensorsOf(kernel, *form, why));
  return fills ? schedule : WgmmaAttentionGradAttr();
}

} // namespace weft::cuda
