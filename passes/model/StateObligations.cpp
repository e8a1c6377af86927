// func  ==>  func {model.requires = [what must hold of its sizes and cannot be shown now]}, or an
// error at what holds for no size.
#include "ir/model/Entries.h"
#include "ir/model/obligations/Obligations.h"
#include "passes/Passes.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_STATEOBLIGATIONS
#include "passes/Passes.h.inc"

namespace {
struct StateObligations : impl::StateObligationsBase<StateObligations> {
  void runOnOperation() override {
    Dims dims(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && failed(state(function, dims)))
        signalPassFailure();
  }

  /// Derived functions (gradients, decoding) gather at the positions of the function they are
  /// derived from, which was checked.
  static bool isWritten(func::FuncOp function) {
    std::optional<EntryKind> kind = kindOf(function);
    return kind == EntryKind::plain || kind == EntryKind::update;
  }

  /// A number of a message, where the program knows it.
  static std::string shown(const Size &size, const Known &known) {
    Size value = known.resolve(size);
    std::vector<std::string> names = value.dims();
    if (names.size() == 1 && value == Size::dim(names.front()))
      if (std::optional<Size> most = known.facts().most(names.front()); most && most->constant())
        return "at most " + most->str();
    return value.constant() ? value.str() : "`" + value.str() + "`";
  }

  static void refuse(const Obligation &what, const Known &known) {
    std::string message = what.holds.getText().str(), line = lineOf(what.at);
    auto replace = [&](StringRef place, const std::string &with) {
      if (size_t at = message.find(place); !place.empty() && at != std::string::npos)
        message.replace(at, place.size(), with);
    };
    replace("{left}", shown(what.holds.getLeft(), known));
    replace("{right}", shown(what.holds.getRight(), known));
    replace(line, ""); // the place is shown anyway
    InFlightDiagnostic error = emitError(what.at) << what.code << ": " << message;
    error.attachNote() << "no size that the program can have keeps this";
  }

  static LogicalResult state(func::FuncOp function, const Dims &dims) {
    Demands asked = demands(function, dims);
    Known known(dims);
    SmallVector<Attribute> left;
    if (auto before = function->getAttrOfType<ArrayAttr>(attr::requirements))
      llvm::append_range(left, before);
    bool fine = true;
    for (const Obligation &each : asked.all)
      switch (known.judge(each)) {
      case Known::Verdict::always:
        break;
      case Known::Verdict::never:
        refuse(each, known);
        fine = false;
        break;
      case Known::Verdict::open:
        if (!isListed(left, each.holds, known))
          left.push_back(each.holds);
        break;
      }
    for (Operation *op : isWritten(function) ? asked.unproved : SmallVector<Operation *>()) {
      std::string dim = written(op, cast<GatherOp>(op).getDimAttr());
      InFlightDiagnostic error = emitError(op->getLoc())
                                 << "E0310: this index is not known to stay inside `" << dim
                                 << "` as it is computed: ints wrap at 32 bits, "
                                 << "floats are exact up to 16777216";
      error.attachNote() << "help: cut it to the range: `clamp[" << dim << "](...)`";
      fine = false;
    }
    if (!left.empty())
      function->setAttr(attr::requirements, ArrayAttr::get(function.getContext(), left));
    return success(fine);
  }
};
} // namespace
} // namespace weft
