// Running what entries prepare, without the entries.
#include "tools/weft/build/PackedBytes.h"

#include "codegen/Target.h"
#include "tools/reduce/compiled/NativeCode.h"

#include "runtime/machine/Cores.h"
#include "runtime/machine/Denormals.h"
#include "runtime/machine/Pool.h"
#include "runtime/model/Facts.h"

#include <fmt/format.h>

namespace weft {

/// The module with nothing but what fills packed weights.
static mlir::OwningOpRef<mlir::ModuleOp> withoutBodies(mlir::ModuleOp plan) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = plan.clone();
  llvm::DenseSet<mlir::StringAttr> launched;
  for (auto entry : copy->getOps<plan::EntryOp>()) {
    mlir::Block &body = entry.getBody().front();
    while (!body.empty())
      body.back().erase();
    entry.setSlotsAttr(mlir::ArrayAttr::get(copy->getContext(), {}));
    entry.removeBehindAttr();
    entry.walk([&](plan::LaunchOp op) { launched.insert(op.getKernelAttr().getAttr()); });
  }
  for (auto kernel : llvm::make_early_inc_range(copy->getOps<plan::KernelOp>()))
    if (!launched.contains(kernel.getSymNameAttr()))
      kernel.erase();
  return copy;
}

std::optional<PackedBytes> PackedBytes::make(mlir::ModuleOp plan, const runtime::Facts &facts,
                                             runtime::Parameters &parameters) {
  auto failed = [](const std::string &why) {
    fmt::print(stderr, "weft build: {}\n", why);
    return std::nullopt;
  };
  PackedBytes made;
  std::vector<char *> places;
  for (const runtime::PackedFacts &packed : facts.packed) {
    auto block = runtime::Block::create(packed.carriedBytes(), "packing the weights",
                                        "take a machine with more");
    if (!block)
      return failed(block.error().message);
    places.push_back(block->data());
    made.addresses.push_back(block->data());
    made.blocks.push_back(std::move(*block));
  }
  reduce::NativeCode code;
  std::string set = reduce::setsOfMachine(cpuTarget()).back();
  if (auto problem = code.load(*withoutBodies(plan), cpuTarget(), {set}, CodeEffort::full))
    return failed("internal error: " + *problem);
  const WeftEntryCode *entries = nullptr;
  for (const WeftEntryCode *each : code.program().code)
    entries = each ? each : entries;
  std::vector<int64_t> sizes; // those that come with the data are none of a carried weight's
  for (const runtime::Dimension &dimension : facts.dims)
    sizes.push_back(dimension.size.value_or(0));
  std::unique_ptr<runtime::Pool> pool = runtime::Pool::start(runtime::availableCores(), false);
  runtime::DenormalsIgnored denormals;
  for (size_t i = 0; i < facts.entries.size(); ++i) {
    if (!entries[i].prepare)
      continue;
    std::vector<char *> packed;
    for (int number : facts.entries[i].packed)
      packed.push_back(std::exchange(places[size_t(number)], nullptr));
    int64_t stride = (entries[i].scratch(sizes.data()) + 63) / 64 * 64;
    auto scratch = runtime::Block::create(stride * pool->threads(), "packing the weights",
                                          "take a machine with more");
    if (!scratch)
      return failed(scratch.error().message);
    WeftCall call{};
    call.sizes = sizes.data();
    call.parameters = parameters.forCode();
    call.packed = packed.data();
    call.scratch = scratch->data();
    call.scratch_stride = stride;
    call.pool = pool.get();
    entries[i].prepare(&call);
  }
  return made;
}

} // namespace weft
