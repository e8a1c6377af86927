// The entries of a program as C functions: launches and copies in the order of the plan.
#include "ir/model/Entries.h"
#include "codegen/c/Blocks.h"
#include "codegen/c/Functions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace weft::c {

namespace {
/// What runs an entry.
class RunText {
public:
  RunText(plan::EntryOp entry, const EntryContext &context) : entry(entry), context(context) {}

  std::string body() {
    blocks.line("const int64_t *const sizes = call->sizes;");
    emitBlock(entry.getBody().front());
    return blocks.take();
  }

private:
  static std::string element(StringRef table, unsigned number) {
    return formatv("call->{0}[{1}]", table, number);
  }
  /// A variable for a buffer, which says what it is `of`.
  void define(mlir::Value buffer, const std::string &text, StringRef of = "") {
    std::string name = "b" + std::to_string(buffers.size());
    blocks.line("char *const {0} = {1};{2}", name, text,
                of.empty() ? "" : " /* " + comment(of) + " */");
    buffers[buffer] = name;
  }
  static StringRef nameIn(mlir::ArrayAttr list, unsigned number) {
    auto text = cast<mlir::DictionaryAttr>(list[number]).getAs<mlir::StringAttr>(model::attr::name);
    return text ? text.getValue() : "";
  }

  void emitBlock(mlir::Block &block) {
    for (mlir::Operation &op : block)
      emitOp(&op);
  }

  void emitOp(mlir::Operation *op) {
    auto size = [&](auto attr) { return context.names.size(attr.getBytes().getValue()); };
    TypeSwitch<mlir::Operation *>(op)
        .Case([&](plan::InputOp at) {
          define(at, element("inputs", at.getNumber()), nameIn(entry.getInputs(), at.getNumber()));
        })
        .Case([&](plan::OutputOp at) {
          define(at, element("outputs", at.getNumber()),
                 nameIn(entry.getOutputs(), at.getNumber()));
        })
        .Case([&](plan::ParameterOp at) {
          define(at, element("parameters", context.parameters.lookup(at.getName())), at.getName());
        })
        .Case([&](plan::SlotOp at) { buffers[at] = element("work", at.getNumber()); })
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

  // In the call's table of work, keys come behind the slots.
  void emitRandomKey(plan::RandomKeyOp op) {
    std::string first = "0";
    for (auto [pass, stride] : zip(op.getPasses(), op.getStrides()))
      first += formatv(" + (uint64_t){0} * UINT64_C({1})", buffers.lookup(pass), uint64_t(stride));
    buffers[op] = element("work", entry.getSlots().size() + keys++);
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
  unsigned keys = 0;
  mlir::DenseMap<mlir::Value, std::string> buffers;
};
} // namespace

std::string emitEntry(plan::EntryOp entry, const std::string &name, const EntryContext &context) {
  std::string most = "0"; // bytes of the kernel that needs most
  SetVector<mlir::StringAttr> launched;
  entry.walk([&](plan::LaunchOp launch) { launched.insert(launch.getKernelAttr().getAttr()); });
  for (mlir::StringAttr kernel : launched)
    if (const Size &needs = context.kernels.find(kernel)->second.scratch; !(needs == Size())) {
      std::string bytes = context.names.size(needs);
      most = most == "0" ? bytes : "weft_larger(" + most + ",\n    " + bytes + ")";
    }
  return formatv("static int64_t {0}_scratch(const int64_t *sizes) {{\n  return {1};\n}\n\n"
                 "static void {0}_run(const WeftCall *call) {{\n{2}}\n\n",
                 name, most, RunText(entry, context).body());
}

} // namespace weft::c
