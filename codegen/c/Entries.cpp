// The entries of a program as C functions: launches and copies in the order of the plan.
#include "ir/model/Entries.h"
#include "codegen/c/Blocks.h"
#include "codegen/c/Functions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace weft::c {

static std::string larger(const std::string &a, const std::string &b) {
  return a == "0" ? b : "weft_larger(" + a + ",\n    " + b + ")";
}

/// The bytes of a slot: those of the largest of its values, in whole cache lines.
static std::string slotBytes(const Names &names, mlir::Attribute slot) {
  std::string most = "0";
  auto several = dyn_cast<mlir::ArrayAttr>(slot);
  for (mlir::Attribute held : several ? several.getValue() : ArrayRef(slot))
    most = larger(most, names.size(cast<model::SizeAttr>(held).getValue()));
  return "weft_lines(" + most + ")";
}

namespace {
/// One function of an entry that takes a WeftCall.
class CallText {
public:
  CallText(plan::EntryOp entry, const EntryContext &context) : entry(entry), context(context) {}

  std::string emit(const std::string &name, mlir::Region &region) {
    blocks.line("const int64_t *const sizes = call->sizes;");
    keys = declareSlots("slot", "call->arena", entry.getSlots());
    declareSlots("packed", "call->packed", entry.getPacked());
    emitBlock(region.front());
    return "static void " + name + "(const WeftCall *call) {\n" + blocks.take() + "}\n\n";
  }

private:
  /// Gives where the last one ends.
  std::string declareSlots(StringRef name, std::string start, mlir::ArrayAttr slots) {
    for (auto [i, slot] : enumerate(slots)) {
      blocks.line("char *const {0}{1} = {2};", name, i, start);
      start = formatv("{0}{1} + {2}", name, i, slotBytes(context.names, slot));
    }
    return start;
  }

  /// A variable for a buffer, which says what it is `of`.
  void define(mlir::Value buffer, const std::string &text, const Twine &of = "") {
    std::string name = "b" + std::to_string(buffers.size()), what = comment(of.str());
    blocks.line("char *const {0} = {1};{2}", name, text, what.empty() ? "" : " /* " + what + " */");
    buffers[buffer] = name;
  }
  void define(mlir::Value buffer, StringRef table, unsigned number, mlir::Attribute name) {
    auto text = dyn_cast_if_present<mlir::StringAttr>(name);
    define(buffer, formatv("call->{0}[{1}]", table, number), text ? text.getValue() : "");
  }
  static mlir::Attribute nameIn(mlir::ArrayAttr list, unsigned number) {
    return cast<mlir::DictionaryAttr>(list[number]).get(model::attr::name);
  }

  void emitBlock(mlir::Block &block) {
    for (mlir::Operation &op : block)
      emitOp(&op);
  }

  void emitOp(mlir::Operation *op) {
    auto size = [&](auto attr) { return context.names.size(attr.getBytes().getValue()); };
    TypeSwitch<mlir::Operation *>(op)
        .Case([&](plan::InputOp at) {
          define(at, "inputs", at.getNumber(), nameIn(entry.getInputs(), at.getNumber()));
        })
        .Case([&](plan::OutputOp at) {
          define(at, "outputs", at.getNumber(), nameIn(entry.getOutputs(), at.getNumber()));
        })
        .Case([&](plan::ParameterOp at) {
          define(at, "parameters", context.parameters.lookup(at.getName()),
                 at.getNameAttr().getAttr());
        })
        .Case([&](plan::SlotOp at) { buffers[at] = "slot" + std::to_string(at.getNumber()); })
        .Case([&](plan::PackedOp at) { buffers[at] = "packed" + std::to_string(at.getNumber()); })
        .Case([&](plan::ReuseOp same) { buffers[same] = buffers.lookup(same.getBuffer()); })
        .Case([&](plan::OffsetOp on) {
          std::string times = on.getPass() ? " * " + buffers.lookup(on.getPass()) : "";
          define(on, buffers.lookup(on.getBuffer()) + " + " + size(on) + times);
        })
        .Case([&](plan::CopyOp copy) {
          blocks.line("weft_copy(call, {0}, {1}, {2});", buffers.lookup(copy.getTo()),
                      buffers.lookup(copy.getFrom()), size(copy));
        })
        .Case([&](plan::RandomKeyOp key) { emitRandomKey(key); })
        .Case([&](plan::LaunchOp launch) { emitLaunch(launch); })
        .Case([&](plan::LoopOp loop) { emitLoop(loop); });
  }

  void emitRandomKey(plan::RandomKeyOp op) {
    std::string first = "0";
    for (auto [pass, stride] : zip(op.getPasses(), op.getStrides()))
      first += formatv(" + (uint64_t){0} * UINT64_C({1})", buffers.lookup(pass), uint64_t(stride));
    define(op, formatv("{0} + 64 * {1}", keys, keyCount++)); // behind the slots
    blocks.line("weft_random_key(call, {0}, {1});", buffers.lookup(op), first);
  }

  void emitLaunch(plan::LaunchOp op) {
    auto names = map_range(op.getBuffers(), [&](auto buffer) { return buffers.lookup(buffer); });
    blocks.line("weft_launch(call, {0}, (void *const[]){{{1}}, 1);{2}",
                context.kernels.find(op.getKernel())->second.name, join(names, ", "),
                op.getLabel() ? " /* " + comment(*op.getLabel()) + " */" : "");
  }

  void emitLoop(plan::LoopOp op) {
    std::string i = context.names.loop(op.getDim());
    buffers[op.getBody().getArgument(0)] = i;
    blocks.inside(formatv(op.getReverse() ? "for (int64_t {0} = {1}; {0}-- > 0;)"
                                          : "for (int64_t {0} = 0; {0} < {1}; ++{0})",
                          i, context.names.extent(op.getDim())),
                  [&] { emitBlock(op.getBody().front()); });
  }

  plan::EntryOp entry;
  const EntryContext &context;
  Blocks blocks;
  std::string keys; ///< where they begin
  unsigned keyCount = 0;
  mlir::DenseMap<mlir::Value, std::string> buffers;
};
} // namespace

EntryText emitEntry(plan::EntryOp entry, const std::string &name, const EntryContext &context) {
  EntryText text;
  std::string most = "0"; // bytes of the kernel that needs most
  SetVector<mlir::StringAttr> launched;
  entry.walk([&](plan::LaunchOp launch) { launched.insert(launch.getKernelAttr().getAttr()); });
  for (mlir::StringAttr kernel : launched)
    if (const Size &needs = context.kernels.find(kernel)->second.scratch; !(needs == Size()))
      most = larger(most, context.names.size(needs));
  text.functions = formatv(
      "static int64_t {0}_scratch(const int64_t *sizes) {{\n  return {1};\n}\n\n", name, most);
  bool prepares = !entry.getPacked().empty();
  if (prepares)
    text.functions += CallText(entry, context).emit(name + "_prepare", entry.getPrepare());
  text.functions += CallText(entry, context).emit(name + "_run", entry.getBody());
  text.row = formatv("{{{0}_scratch, {1}, {0}_run}", name, prepares ? name + "_prepare" : "NULL");
  return text;
}

} // namespace weft::c
