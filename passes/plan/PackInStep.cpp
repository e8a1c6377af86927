// An update packs the parameters that it changes for the entries that keep them packed, task by
// task behind the kernels that write them.
#include "ir/cpu/InStep.h"
#include "ir/kernel/Walk.h"
#include "ir/model/Entries.h"
#include "ir/plan/Accesses.h"
#include "ir/plan/InStep.h"
#include "ir/plan/PackedWeights.h"
#include "passes/Passes.h"

#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_PACKINSTEP
#include "passes/Passes.h.inc"

namespace {
using namespace plan;

/// What a task of an update writes at best: of four tensors, and what is packed of one of them,
/// that is 320 KB, which stay in a second cache.
constexpr int64_t fewElements = 16384;
/// … and at most: half a megabyte of the tensor that is packed.
constexpr int64_t mostElements = 1 << 17;
/// Of kernels with little work there are few tasks anyway.
constexpr int64_t leastElements = 4096;

/// A launch of a `prepare`, which fills one packed weight.
struct Packing {
  LaunchOp launch;
  LoopOp loop; ///< around it, or null
  cpu::PackedInOrder form;
  int64_t passes = 1;
};

struct PackInStep : impl::PackInStepBase<PackInStep> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    dims = kernel::DimTable::of(module);
    llvm::StringMap<SmallVector<Packing>> all = keptOf(module);
    if (all.empty())
      return;
    for (auto entry : module.getOps<EntryOp>())
      if (model::kindOf(entry) == model::EntryKind::update && entry.getPacked().empty()) {
        llvm::SmallPtrSet<Operation *, 16> done; // tasks are cut for one parameter
        for (auto &[parameter, writer] : writersIn(entry))
          if (auto kept = all.find(parameter); kept != all.end() && done.insert(writer).second)
            pack(entry, writer, parameter, kept->second);
      }
    for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
      if (replaced.contains(kernel.getSymName()) &&
          SymbolTable::symbolKnownUseEmpty(kernel, module))
        kernel.erase();
  }

private:
  /// By parameter, what gradients have packed of it, each once.
  llvm::StringMap<SmallVector<Packing>> keptOf(ModuleOp module) {
    llvm::StringMap<SmallVector<Packing>> found;
    PackedWeights weights(module);
    llvm::DenseSet<unsigned> seen;
    for (auto entry : module.getOps<EntryOp>()) {
      if (model::kindOf(entry) != model::EntryKind::gradient)
        continue;
      llvm::DenseMap<int64_t, SmallVector<LaunchOp>> filling;
      entry.getPrepare().walk([&](LaunchOp launch) {
        Value to = launch.getBuffers().back();
        while (auto offset = to.getDefiningOp<OffsetOp>())
          to = offset.getBuffer();
        filling[to.getDefiningOp<PackedOp>().getNumber()].push_back(launch);
      });
      for (auto [number, weight] : llvm::enumerate(weights.of(entry)))
        if (filling[number].size() == 1 && seen.insert(weight).second)
          if (std::optional<Packing> packing = packingOf(filling[number].front()))
            found[weights.all()[weight].parameter->str()].push_back(*packing);
    }
    return found;
  }

  /// Nothing where it packs in another order, or a part of the parameter alone.
  std::optional<Packing> packingOf(LaunchOp launch) {
    auto loop = dyn_cast<LoopOp>(launch->getParentOp());
    if (loop && isa<LoopOp>(loop->getParentOp()))
      return std::nullopt;
    kernel::FusedOp fused = fusedOf(launch);
    std::optional<cpu::PackedInOrder> form = cpu::packedInOrder({fused, dims});
    std::optional<int64_t> passes = loop ? dims.known(loop.getDim()) : std::optional<int64_t>(1);
    if (!form || !passes || launch.getBuffers().size() != 2)
      return std::nullopt;
    std::optional<Piece> from = pieceOf(launch.getBuffers()[0], loop),
                         to = pieceOf(launch.getBuffers()[1], loop);
    auto read = from ? from->base.getDefiningOp<ParameterOp>() : ParameterOp();
    if (!read || !to || !to->base.getDefiningOp<PackedOp>())
      return std::nullopt;
    auto parameter =
        SymbolTable::lookupNearestSymbolFrom<model::ParameterOp>(launch, read.getNameAttr());
    auto type = cast<model::NamedTensorType>(parameter.getType());
    if (dims.known(kernel::sizeOf(type.getDims())) != *passes * form->total() ||
        bytesOfPass(*from) != (loop ? form->total() * int64_t(sizeof(float)) : 0) ||
        bytesOfPass(*to) != (loop ? form->bytes() : 0))
      return std::nullopt;
    return Packing{launch, loop, *form, *passes};
  }

  /// The launches of rows that write a parameter last, outside of loops, by the parameter.
  static SmallVector<std::pair<StringRef, LaunchOp>> writersIn(EntryOp entry) {
    llvm::MapVector<StringRef, Operation *> last;
    for (const Access &access : accessesOf(entry.getBody().front()))
      if (auto parameter = dyn_cast<ParameterOp>(access.base); parameter && access.writes)
        last[parameter.getName()] = access.op;
    SmallVector<std::pair<StringRef, LaunchOp>> found;
    for (auto &[parameter, op] : last)
      if (auto launch = dyn_cast<LaunchOp>(op);
          launch && launch->getParentOp() == entry &&
          fusedOf(launch).getFamily() == kernel::Family::rows && fusedOf(launch).getScheduleAttr())
        found.push_back({parameter, launch});
    return found;
  }

  void pack(EntryOp entry, LaunchOp writer, StringRef parameter, ArrayRef<Packing> kept) {
    ValueRange results = writer.getBuffers().drop_front(fusedOf(writer).getNumOperands());
    const auto buffer = llvm::find_if(results, [&](Value each) {
      auto of = each.getDefiningOp<ParameterOp>();
      return of && of.getName() == parameter;
    });
    if (buffer == results.end())
      return; // a piece of it
    const unsigned result = std::distance(results.begin(), buffer);
    SmallVector<int64_t> tried = tasksFor(kept, cpu::machineFor(cpu::Isa::avx512, entry).cores);
    const auto *each =
        llvm::find_if(tried, [&](int64_t each) { return cut(writer, result, each); });
    if (each == tried.end())
      return;
    OpBuilder at(writer);
    at.setInsertionPointAfter(writer);
    for (const Packing &packing : kept)
      if (isEven(packing, *each))
        follow(entry, writer, at, packing, *buffer, *each);
  }

  static bool isEven(const Packing &packing, int64_t each) {
    const cpu::PackedInOrder &form = packing.form;
    return each % form.unit() == 0 &&
           (packing.passes * form.sources == 1 || form.rows * form.row % each == 0);
  }

  /// How many elements tasks may get, with which all that can follow does, the best first: so few
  /// that they stay in a cache, and that each core has some.
  static SmallVector<int64_t> tasksFor(ArrayRef<Packing> kept, int64_t cores) {
    const int64_t total = kept.front().passes * kept.front().form.total(),
                  most = std::clamp(total / cores, leastElements, mostElements);
    int64_t unit = 1;
    for (const Packing &packing : kept) {
      int64_t with = std::lcm(unit, packing.form.unit());
      unit = isEven(packing, with) && with <= most ? with : unit;
    }
    SmallVector<int64_t> found;
    for (int64_t each = unit; unit > 1 && each <= most; each += unit)
      if (llvm::all_of(kept, [&](const Packing &packing) {
            return isEven(packing, each) || !isEven(packing, unit);
          }))
        found.push_back(each);
    // Large ones that stay in the cache, then those that do as well as they can.
    auto *few = llvm::partition_point(found, [](int64_t each) { return each <= fewElements; });
    std::reverse(found.begin(), few);
    return found;
  }

  /// Cuts the tasks of a launch so that each writes `each` elements of a result, or leaves it.
  bool cut(LaunchOp writer, unsigned result, int64_t each) {
    kernel::FusedOp fused = fusedOf(writer);
    NamedAttrList schedules;
    for (const cpu::Machine &machine : cpu::scheduledMachines()) {
      auto known = cast<cpu::RowsAttr>(fused.getScheduleAttr().get(machine.name));
      int64_t unroll = known.getUnroll();
      while (unroll > 1 && each % (unroll * machine.lanes) != 0)
        unroll /= 2; // tasks along lanes have whole vectors
      auto schedule = cpu::RowsAttr::get(&getContext(), unroll, each);
      std::optional<cpu::Stretches> tasks =
          cpu::stretchesOf({fused, dims}, schedule, machine, result);
      if (!tasks || tasks->each != each)
        return false;
      schedules.set(machine.name, schedule);
    }
    writer.setKernelAttr(with(writer, schedules.getDictionary(&getContext())));
    return true;
  }

  /// The kernel of a launch with other schedules.
  FlatSymbolRefAttr with(LaunchOp launch, DictionaryAttr schedules) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
    FlatSymbolRefAttr &symbol = recut[{kernel, schedules}];
    if (symbol)
      return symbol;
    OpBuilder builder(kernel);
    auto copy = cast<KernelOp>(builder.clone(*kernel));
    cast<kernel::FusedOp>(copy.getBody().front().front()).setScheduleAttr(schedules);
    std::string base = (kernel.getSymName() + ".in_step").str(), name = base;
    for (unsigned count = 2; SymbolTable::lookupSymbolIn(getOperation(), name); ++count)
      name = base + "." + std::to_string(count);
    copy.setSymName(name);
    replaced.insert(kernel.getSymName());
    return symbol = FlatSymbolRefAttr::get(copy.getSymNameAttr());
  }

  /// What `packing` does, behind the launch that writes its parameter.
  void follow(EntryOp entry, LaunchOp writer, OpBuilder &at, Packing packing, Value from,
              int64_t each) {
    Location loc = packing.launch.getLoc();
    SmallVector<Attribute> list(entry.getPacked().getValue());
    auto size = [&](int64_t bytes) {
      return model::SizeAttr::get(&getContext(), Size::number(bytes));
    };
    list.push_back(size(packing.passes * packing.form.bytes()));
    entry.setPackedAttr(ArrayAttr::get(&getContext(), list));
    OpBuilder before(writer);
    Value to = PackedOp::create(before, loc, int64_t(list.size()) - 1);
    NamedAttrList schedules;
    for (const cpu::Machine &machine : cpu::scheduledMachines())
      schedules.set(machine.name, packing.form.schedule(&getContext(), each));
    FlatSymbolRefAttr kernel = with(packing.launch, schedules.getDictionary(&getContext()));
    OpBuilder::InsertionGuard back(at);
    if (LoopOp around = packing.loop) {
      auto loop = LoopOp::create(at, loc, around.getDimAttr(), UnitAttr());
      Block *body = at.createBlock(&loop.getBody());
      Value pass = body->addArgument(at.getIndexType(), around.getBody().getArgument(0).getLoc());
      from = OffsetOp::create(at, loc, from, size(packing.form.total() * int64_t(sizeof(float))),
                              pass);
      to = OffsetOp::create(at, loc, to, size(packing.form.bytes()), pass);
    }
    LaunchOp::create(at, loc, kernel, packing.launch.getLabelAttr(), ValueRange{from, to},
                     IntegerAttr(), at.getUnitAttr());
  }

  kernel::DimTable dims;
  llvm::DenseMap<std::pair<Operation *, Attribute>, FlatSymbolRefAttr> recut;
  llvm::StringSet<> replaced; ///< kernels of which others were made
};
} // namespace
} // namespace weft
