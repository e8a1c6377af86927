// X = decode[t](entry)  ==>  X.advance: the rows of new positions, with caches; or an error that
// says why there is none.
#include "ir/model/Entries.h"
#include "ir/model/infer/Align.h"
#include "ir/model/obligations/Obligations.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/decode/Advance.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_DECODE
#include "passes/Passes.h.inc"

namespace {
using namespace decode;

/// The place in the library, if `at` is in it: the error shows the line of the user's program that
/// calls the function (`attend`), this note the line inside it.
std::optional<std::string> insideLibrary(Location at) {
  FileLineColLoc first;
  at->walk([&](Location each) {
    if (auto place = dyn_cast<FileLineColLoc>(each); place && !first)
      first = place;
    return WalkResult::advance();
  });
  if (!first || !first.getFilename().getValue().starts_with("library/"))
    return std::nullopt;
  return "inside " + first.getFilename().str() + ":" + std::to_string(first.getLine());
}

struct Decode : impl::DecodeBase<Decode> {
  using Base::Base;

  func::FuncOp entryNamed(StringAttr name) {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->getAttr(attr::entry) == name)
        return function;
    return {};
  }

  /// `argument` grows along `time`, and nothing else that comes in does.
  LogicalResult checkInputs(func::FuncOp function, StringAttr argument, DimAttr time,
                            const Dims &dims) {
    if (dims.size(time) != Size::dim(time.getValue()))
      return emitError(function.getLoc()) << "E0505: `decode[" << time.getValue()
                                          << "]` needs a size that comes with the data, `"
                                          << time.getValue() << "` is " << dims.size(time).str();
    for (BlockArgument each : function.getArguments()) {
      auto name = function.getArgAttrOfType<StringAttr>(each.getArgNumber(), attr::name);
      for (DimAttr dim : dimsOf(each)) {
        if (!llvm::is_contained(dims.size(dim).dims(), time.str()) ||
            (name == argument && dim == time))
          continue;
        InFlightDiagnostic error = emitError(each.getLoc());
        error << "E0505: `decode[" << time.getValue() << "]` appends to `" << argument.getValue()
              << "` only, `" << (name ? name.getValue() : "an input") << "` also grows with `"
              << time.getValue() << "`";
        error.attachNote() << "help: compute it inside the entry";
        return error;
      }
    }
    return success();
  }

  LogicalResult report(const Culprit &culprit, StringRef entry, DimAttr time) {
    InFlightDiagnostic error = emitError(culprit.op->getLoc());
    error << "E0510: `" << entry << "` is not causal in `" << time.getValue()
          << "`: " << culprit.what;
    if (auto inside = insideLibrary(culprit.op->getLoc()))
      error.attachNote() << *inside;
    for (const std::string &note : culprit.notes)
      error.attachNote() << note;
    return error;
  }

  /// Gives `made` the obligations of the entry, for `positions`, all there are after a call.
  void inherit(func::FuncOp made, func::FuncOp entry, DimAttr time, const Size &positions) {
    auto asked = entry->getAttrOfType<ArrayAttr>(attr::requirements);
    if (!asked)
      return;
    Dims dims(getOperation());
    std::set<std::string> spoken = spokenOf(made, dims);
    SmallVector<Attribute> own;
    for (auto each : asked.getAsRange<RequireAttr>()) {
      RequireAttr here = rewritten(each, [&](const Size &size) {
        return dims.resolve(size).substitute([&](const std::string &name) {
          return name == time.getValue() ? std::optional(positions) : std::nullopt;
        });
      });
      std::vector<std::string> names = here.getLeft().dims(), more = here.getRight().dims();
      names.insert(names.end(), more.begin(), more.end());
      if (llvm::all_of(names, [&](const std::string &name) { return spoken.contains(name); }))
        own.push_back(here);
    }
    made->setAttr(attr::requirements, ArrayAttr::get(&getContext(), own));
  }

  LogicalResult derive(DecodingOp decoding) {
    DimAttr time = decoding.getDimAttr();
    StringAttr entry = decoding.getEntryAttr();
    func::FuncOp function = entryNamed(entry);
    if (!function)
      return emitError(getOperation().getLoc())
             << "no entry `" << entry.getValue() << "` to decode";
    Dims dims(getOperation());
    if (failed(checkInputs(function, decoding.getArgumentAttr(), time, dims)))
      return failure();
    Causality causality(function, dims, time);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (auto culprit = causality.culprit(i))
        return report(*culprit, entry.getValue(), time);

    SmallVector<Value> results(function.front().getTerminator()->getOperands());
    Demand demand(function, causality, dims);
    std::vector<Version> versions;
    for (Value result : results)
      versions.emplace_back(demand.growing(result).size(), every ? Rows::fresh : Rows::last);
    if (failed(demand.require(versions)))
      return failure();
    VersionDims names(getOperation(), causality, dims, time);
    CacheNames caches = cacheNames(demand.kept());
    std::string name = decoding.getName().str();
    func::FuncOp advance =
        Advance(function, causality, demand, names, caches, Advance::Call::advance)
            .build(name + ".advance", versions);
    inherit(advance, function, time,
            Size::dim(names.known.getValue()) + Size::dim(names.fresh.getValue()));
    Demand atFirst(function, causality, dims);
    atFirst.requireOnce(demand);
    if (!atFirst.kept().empty()) {
      func::FuncOp begin =
          Advance(function, causality, atFirst, names, caches, Advance::Call::begin)
              .build(name + ".begin", {});
      inherit(begin, function, time, Size::dim(time.getValue()));
      decoding.setBeginAttr(FlatSymbolRefAttr::get(begin.getSymNameAttr()));
    }
    remarkCaches(advance, demand.kept(), caches);
    remarkWindows(function, advance, causality);
    decoding.setAdvanceAttr(FlatSymbolRefAttr::get(advance.getSymNameAttr()));
    decoding.setKnownAttr(names.known);
    decoding.setFreshAttr(names.fresh);
    decoding.setCapacityAttr(names.capacity);
    return success();
  }

  /// A remark for each cache: what it keeps of earlier calls, in numbers: how they are stored is
  /// chosen later.
  void remarkCaches(func::FuncOp advance, ArrayRef<Kept> kept, const CacheNames &names) {
    Dims sizes(getOperation());
    for (const Kept &each : kept) {
      StringAttr name = names.at({each.value.getAsOpaquePointer(), each.what});
      auto at = llvm::find_if(advance.getArguments(), [&](BlockArgument argument) {
        return advance.getArgAttr(argument.getArgNumber(), attr::cache) == name;
      });
      std::string what = each.what == Keep::rows    ? "keeps the rows of all positions"
                         : each.what == Keep::total ? "keeps a running total"
                                                    : "is computed once, before the first position";
      remarkCost(each.value.getLoc(), advance, {"weft-decode", "cache"},
                 "`" + name.str() + "` " + what + ", " + sizes.size(typeOf(*at).getDims()).str() +
                     " numbers");
    }
  }

  /// A remark where a reduction reads a window: rows before it are kept all the same.
  void remarkWindows(func::FuncOp entry, func::FuncOp advance, const Causality &causality) {
    entry.walk([&](Operation *op) {
      if (std::optional<int64_t> back = causality.window(op))
        remarkCost(
            op->getLoc(), advance, {"weft-decode", "window"},
            "`" + op->getName().stripDialect().str() + "` looks back at " + std::to_string(*back) +
                " positions at most; caches keep the rows of earlier ones all the same, for as "
                "many positions as they have room");
    });
  }

  void runOnOperation() override {
    for (auto decoding : llvm::to_vector(getOperation().getOps<DecodingOp>()))
      if (!decoding.getAdvance() && failed(derive(decoding)))
        return signalPassFailure();
  }
};

} // namespace
} // namespace weft
