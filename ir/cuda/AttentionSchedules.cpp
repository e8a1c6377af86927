// How attention and its gradient are cut on a GPU.
#include "ir/cuda/AttentionSchedules.h"

#include "ir/cuda/GroupAttentionSchedules.h"
#include "ir/cuda/GroupGradientSchedules.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using weft::kernel::Family;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

namespace {
/// An attention whose depth and values are known.
struct KnownAttention {
  KernelCase kernel;
  const kernel::AttentionForm &form;
  const Device &device;
  int64_t depth, values;
  bool isGradient = kernel.op.getFamily() == Family::attention_grad;
  MLIRContext *context = kernel.op.getContext();
};
} // namespace

/// Floats of sums and scores that a thread may have in registers, beside two sides of a product.
static constexpr int64_t mostFloats = 176;
static constexpr int64_t mostDepth = 128;

static std::optional<std::pair<int64_t, int64_t>>
depthAndValues(KernelCase kernel, const kernel::AttentionForm &form) {
  std::optional<int64_t> depth = kernel.dims.known(kernel::sizeOf(form.depth)),
                         values = kernel.dims.known(kernel::sizeOf(form.values));
  if (!depth || !values || std::min(*depth, *values) < 1)
    return std::nullopt;
  return std::pair(*depth, *values);
}

/// A buffer that matrix instructions would multiply, but which is not stored as bf16 or not
/// strided.
static std::optional<unsigned> wideBuffer(kernel::FusedOp op, const kernel::AttentionForm &form) {
  SmallVector<unsigned> multiplied = {form.q, form.k, form.v};
  if (op.getFamily() == Family::attention_grad)
    multiplied.push_back(form.gradient);
  for (unsigned buffer : multiplied) {
    Attribute layout = op.getLayoutsAttr()[buffer];
    if (!isa<kernel::LayoutAttr>(layout) || !kernel::storageIn(layout))
      return buffer;
  }
  return std::nullopt;
}

/// The first of these that fits memory and registers.
template <class Schedule>
static ScheduleAttr firstThatFits(const KnownAttention &known, ArrayRef<Schedule> all) {
  for (Schedule each : all)
    if (each.sharedBytes(known.depth, known.values) <= known.device.mostShared &&
        each.floatsEach(known.depth, known.values) <= mostFloats)
      return each;
  return {};
}

/// By matrix instructions. What a block copies of large rows has fewer addresses in the registers
/// of more threads, and is read less often; where depth and values are small, there are registers
/// for both, and more blocks.
static ScheduleAttr multiplied(const KnownAttention &known) {
  int64_t most = std::max(known.depth, known.values);
  if (most > mostDepth || wideBuffer(known.kernel.op, known.form))
    return {};
  constexpr int64_t small = 64, stages = 2;
  int64_t rows = most <= small ? 64 : 128, warps = rows / 16;
  if (known.isGradient)
    return firstThatFits<MmaAttentionGradAttr>(
        known, {MmaAttentionGradAttr::get(known.context, rows, 32, warps, stages)});
  return firstThatFits<MmaAttentionAttr>(
      known, {MmaAttentionAttr::get(known.context, rows, 64, warps, stages)});
}

/// By fused multiply-adds, where depth and values are small enough for the memory that a block
/// shares.
static ScheduleAttr added(const KnownAttention &known) {
  int64_t depth = known.depth, values = known.values;
  constexpr int64_t unroll = 4;
  if (known.isGradient) {
    for (AttentionGradAttr each : {AttentionGradAttr::get(known.context, 32, 32, 2, 2, unroll),
                                   AttentionGradAttr::get(known.context, 16, 16, 2, 1, unroll)})
      if (each.sharedBytes(depth, values) <= mostShared)
        return each;
    return {};
  }
  constexpr int64_t small = 64, keys = 32;
  if (std::max(depth, values) > mostDepth)
    return {};
  bool isSmall = std::max(depth, values) <= small;
  return AttentionAttr::get(known.context, isSmall ? 64 : 32, keys, isSmall ? 4 : 2, 2, unroll);
}

ScheduleAttr attentionOfManyFor(KernelCase kernel, const Device &device, bool tensors) {
  if (kernel.op.getFamily() != Family::attention && kernel.op.getFamily() != Family::attention_grad)
    return {};
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return {};
  auto sizes = depthAndValues(kernel, *form);
  if (!sizes)
    return {};
  KnownAttention known{kernel, *form, device, sizes->first, sizes->second};
  // Matrix instructions leave scores where nobody looks at them one by one yet, and sums where no
  // other position of the batch adds to them.
  if (!form->isPlain() || (known.isGradient && !form->summed.empty()))
    return added(known);
  if (tensors) {
    ScheduleAttr group = known.isGradient ? ScheduleAttr(groupGradientFor(kernel, device))
                                          : groupAttentionFor(kernel, device);
    if (group)
      return group;
  }
  if (ScheduleAttr schedule = multiplied(known))
    return schedule;
  return added(known);
}

ScheduleAttr attentionFor(KernelCase kernel, const Device &device) {
  ScheduleAttr many = attentionOfManyFor(kernel, device);
  if (!many || kernel.op.getFamily() != Family::attention)
    return many;
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (!form->isPlain())
    return many;
  // Of more, a tile of queries reads keys less often than few of them at a time.
  constexpr int64_t usualFew = 4;
  std::optional<int64_t> queries = kernel.dims.known(kernel::sizeOf(form->rows));
  if (queries ? *queries > usualFew : !decodes(kernel.op))
    return many;
  SplitAttentionAttr split = splitAttentionFor(kernel, *form, device);
  if (!split || queries)
    return split ? ScheduleAttr(split) : many;
  int64_t few = std::max(usualFew, queriesTogether(kernel, *form));
  return ByQueriesAttr::get(kernel.op.getContext(), few, split, many);
}

static LogicalResult unless(const std::string &problem, KernelCase kernel, ScheduleAttr schedule) {
  if (problem.empty())
    return success();
  StringRef family = stringifyFamily(kernel.op.getFamily());
  return kernel.op.emitOpError() << schedule << ": " << problem
                                 << "; its schedule is one of `cuda.mma_" << family << "`, `cuda."
                                 << family << "` or of rows";
}

LogicalResult checkAttention(KernelCase kernel, ScheduleAttr schedule, const Device &device) {
  if (auto group = dyn_cast<WgmmaAttentionAttr>(schedule))
    return unless(groupAttentionProblem(kernel, group, device), kernel, schedule);
  if (auto group = dyn_cast<WgmmaAttentionGradAttr>(schedule))
    return unless(groupGradientProblem(kernel, group, device), kernel, schedule);
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  bool isAdded = isa<AttentionAttr, AttentionGradAttr>(schedule);
  if (kernel.op.getFamily() == Family::attention_grad && !form->summed.empty() && !isAdded)
    return kernel.op.emitOpError("sums a gradient over `")
           << form->summed.front().str()
           << "`: its schedule is `cuda.attention_grad` or one of rows";
  if (!form->isPlain() && !isAdded)
    return kernel.op.emitOpError("has a cap, a bias or dropout: its schedule is one of `cuda.")
           << stringifyFamily(kernel.op.getFamily()) << "` or of rows";
  auto sizes = depthAndValues(kernel, *form);
  if (!sizes)
    return kernel.op.emitOpError("has a depth that is not known: its schedule is one of rows");
  auto [depth, values] = *sizes;
  auto fits = [&](int64_t shared, int64_t most) -> LogicalResult {
    if (shared <= most)
      return success();
    return kernel.op.emitOpError("shares ")
           << shared << " bytes in a block, and " << most << " are the most";
  };
  auto multiplies = [&](auto each) -> LogicalResult {
    if (std::optional<unsigned> wide = wideBuffer(kernel.op, *form))
      return kernel.op.emitOpError("multiplies buffer ")
             << *wide << ", which is not stored as bf16: its schedule is one of `cuda."
             << stringifyFamily(kernel.op.getFamily()) << "`";
    if (std::max(depth, values) > mostDepth)
      return kernel.op.emitOpError("has ")
             << depth << " in depth and " << values << " values, and matrix instructions of a warp "
             << "take at most " << mostDepth << " of each";
    if (int64_t floats = each.floatsEach(depth, values); floats > mostFloats)
      return kernel.op.emitOpError("has ")
             << floats << " sums and scores in each thread, and " << mostFloats << " are the most";
    return fits(each.sharedBytes(depth, values), device.mostShared);
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(schedule)
      .Case<AttentionAttr, AttentionGradAttr>(
          [&](auto each) { return fits(each.sharedBytes(depth, values), mostShared); })
      .Case<MmaAttentionAttr, MmaAttentionGradAttr>(multiplies);
}

} // namespace weft::cuda
