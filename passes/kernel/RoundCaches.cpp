// Keys and values that a decoding keeps become whole numbers that share scales (`model.storage =
// i8`), written by kernels that round them:
//
// insert_part(rows, cache)  ==>  insert_part(pack(rows), cache)
// return(cache)             ==>  return(pack(cache)), where it is computed as a whole
#include "ir/kernel/DimTable.h"
#include "ir/kernel/Places.h"
#include "ir/kernel/Walk.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_ROUNDCACHES
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;
using model::DimAttr, model::DimList;
constexpr int64_t together = model::grouped::length;

constexpr RemarkTopic topic{"weft-round-caches", "caches"};

/// A cache of one entry: what is a view of it, what is written into it, and why it cannot be
/// rounded.
class Uses {
public:
  Uses(BlockArgument cache, StringAttr name, const Places &places, const kernel::DimTable &dims)
      : name(name), places(&places), dims(&dims) {
    ArrayRef<DimAttr> all = model::typeOf(cache).getDims();
    if (!model::typeOf(cache).isFloat())
      refuse("holds no floats");
    else if (all.empty() || !kernel::isMultiple(places.sizes.size(all.back()), together))
      refuse("has rows that are not whole groups of 32 numbers");
    else
      row = all.back();
    views.insert(cache);
    for (size_t i = 0; i < views.size() && why.empty(); ++i)
      for (OpOperand &use : views[i].getUses())
        follow(use);
  }

  /// What is given back as the cache: what came in, with rows written into it, or all of it.
  void giveBack(OpOperand &returned) {
    if (views.contains(returned.get()))
      return;
    Operation *maker = returned.get().getDefiningOp();
    if (!maker || maker->hasTrait<model::Free>())
      return refuse("keeps what is no kernel's");
    writes.push_back(&returned);
  }

  /// What is written into it, where that is used so.
  SmallVector<OpOperand *> writes;
  std::string why; ///< empty: it can be

private:
  void refuse(StringRef reason) { why = why.empty() ? reason.str() : why; }

  void follow(OpOperand &use) {
    Operation *user = use.getOwner();
    unsigned number = use.getOperandNumber();
    if (auto fused = dyn_cast<kernel::FusedOp>(user))
      return read(fused, number);
    if (auto repeat = dyn_cast<model::RepeatOp>(user)) {
      if (number < repeat.getNumCarried())
        return refuse("is carried by a loop");
      views.insert(repeat.getBody().front().getArgument(number));
    } else if (isa<model::YieldOp>(user)) {
      auto repeat = cast<model::RepeatOp>(user->getParentOp());
      if (number < repeat.getNumCarried())
        return refuse("is carried by a loop");
      views.insert(repeat.getResult(number));
    } else if (isa<func::ReturnOp>(user)) {
      auto function = cast<func::FuncOp>(user->getParentOp());
      if (function.getResultAttr(number, model::attr::cache) != name)
        refuse("is also returned as something else");
    } else if (auto write = dyn_cast<model::InsertPartOp>(user)) {
      Operation *maker = write.getInput().getDefiningOp();
      if (number == 0 || !isCacheWrite(write))
        return refuse("is copied into something else");
      if (write.getDimAttr() == row)
        return refuse("grows along its rows");
      if (maker && maker->hasTrait<model::Free>())
        return refuse("keeps what is no kernel's");
      writes.push_back(&write.getInputMutable());
      views.insert(write.getResult());
    } else if (isView(user)) {
      views.insert(user->getResult(0));
    } else {
      refuse("is read by more than kernels");
    }
  }

  /// Only as the keys or the values of an attention, whose rows are whole groups.
  void read(kernel::FusedOp op, unsigned number) {
    BlockArgument argument = op.getBody().getArgument(number);
    std::optional<Place> place = places->of(op.getInputs()[number]);
    if (!place)
      return refuse("is read in another order than it lies in");
    for (OpOperand &use : argument.getUses()) {
      auto attention = dyn_cast<model::AttentionOp>(use.getOwner());
      if (!attention || op.getFamily() != Family::attention)
        return refuse("is read by other kernels than attention");
      bool isKey = &use == &attention.getKMutable(), isValue = &use == &attention.getVMutable();
      if (!isKey && !isValue)
        return refuse("is read as other than keys or values");
      DimList side = isKey ? depthOf(attention) : valuesOf(attention);
      if (!kernel::hasGroupedRows(place->layout) || !kernel::isMultiple(place->offset, together) ||
          !kernel::walkOver(*dims, place->layout, side).contiguous() ||
          !kernel::isMultiple(places->sizes.size(side), together))
        return refuse("has rows of keys or values that are not whole groups of 32 numbers");
    }
  }

  // In the order in which `readAttention`, of what has layouts, has them.
  static DimList depthOf(model::AttentionOp attention) {
    return llvm::filter_to_vector(model::typeOf(attention.getQ()).getDims(), [&](DimAttr dim) {
      return llvm::is_contained(attention.getDepth(), dim);
    });
  }
  static DimList valuesOf(model::AttentionOp attention) {
    return llvm::filter_to_vector(model::typeOf(attention.getV()).getDims(), [&](DimAttr dim) {
      bool isScores =
          (model::typeOf(attention.getQ()).has(dim) || model::typeOf(attention.getK()).has(dim)) &&
          !llvm::is_contained(attention.getDepth(), dim);
      return dim != attention.getKeyAttr() && !isScores;
    });
  }

  StringAttr name;
  const Places *places;
  const kernel::DimTable *dims;
  DimAttr row; // along which elements lie side by side
  llvm::SetVector<Value> views;
};

struct RoundCaches : impl::RoundCachesBase<RoundCaches> {
  using RoundCachesBase::RoundCachesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!as.empty())
      module->setAttr(model::attr::caches, StringAttr::get(&getContext(), as));
    if (model::cacheFormatOf(module) != model::CacheFormat::int8)
      return;
    Places places(module);
    auto dims = kernel::DimTable::of(module);
    // By name: one cache of several entries is one memory.
    llvm::MapVector<StringAttr, SmallVector<std::pair<BlockArgument, Uses>>> caches;
    for (auto function : module.getOps<func::FuncOp>())
      for (BlockArgument argument : function.getArguments())
        if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                              model::attr::cache)) {
          auto &uses = caches[name].emplace_back(argument, Uses(argument, name, places, dims));
          Operation *exit = function.getBody().front().getTerminator();
          for (OpOperand &operand : exit->getOpOperands())
            if (function.getResultAttr(operand.getOperandNumber(), model::attr::cache) == name)
              uses.second.giveBack(operand);
        }
    for (auto &[name, uses] : caches) {
      const auto *refused =
          llvm::find_if(uses, [](auto &each) { return !each.second.why.empty(); });
      if (refused == uses.end())
        llvm::for_each(uses, [&](auto &each) { round(each.first, name, each.second); });
      else if (model::typeOf(refused->first).isFloat())
        say(refused->first, name, refused->second.why);
    }
  }

private:
  static std::string nameOf(BlockArgument argument, StringAttr name) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto called = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), model::attr::name);
    return (called ? called : name).str();
  }

  static void say(BlockArgument argument, StringAttr name, const std::string &why) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    mlir::remark::missed(argument.getLoc(), topic.in(function))
        << "the cache `" + nameOf(argument, name) + "` stays as it is: it " + why;
  }

  void round(BlockArgument argument, StringAttr name, const Uses &uses) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    function.setArgAttr(argument.getArgNumber(), model::attr::storage,
                        TypeAttr::get(IntegerType::get(&getContext(), 8)));
    for (OpOperand *write : uses.writes) {
      OpBuilder builder(write->getOwner());
      Value rows = write->get();
      Location at =
          isa<func::ReturnOp>(write->getOwner()) ? rows.getLoc() : write->getOwner()->getLoc();
      auto pack = kernel::FusedOp::create(builder, at, TypeRange{rows.getType()}, Family::pack,
                                          nameOf(argument, name) + ".round", ValueRange{rows},
                                          ArrayAttr(), DictionaryAttr());
      Block *body = builder.createBlock(&pack.getBody());
      kernel::YieldOp::create(builder, at, ValueRange{body->addArgument(rows.getType(), at)});
      write->set(pack.getResult(0));
    }
  }
};
} // namespace
} // namespace weft
