// The entries of a program as C functions: launches and copies in the order of the plan.

#include "codegen/c/Blocks.h"
#include "codegen/c/Functions.h"
#include "ir/model/Obligations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace weft::c {

/// Text for text: `value`, or `function` of it and what was there before.
static void fold(std::string &all, StringRef function, const std::string &value) {
  all = all.empty() ? value : (function + "(" + all + ",\n    " + value + ")").str();
}

static std::string bytes(const Names &names, const Size &size) {
  return "weft_lines(" + names.checked(size) + ")";
}

/// What a slot takes: as much as the largest of its values.
static std::string slotBytes(const Names &names, mlir::Attribute slot) {
  if (auto size = dyn_cast<model::SizeAttr>(slot))
    return bytes(names, size.getValue());
  std::string most;
  for (auto size : cast<mlir::ArrayAttr>(slot).getAsRange<model::SizeAttr>())
    fold(most, "weft_more", bytes(names, size.getValue()));
  return most;
}

namespace {
/// One function of an entry that takes a WeftCall.
class CallText {
public:
  CallText(plan::EntryOp entry, const EntryContext &context) : entry(entry), context(context) {}

  std::string emit(const std::string &name, mlir::Region &region) {
    blocks.line("const int64_t *const sizes = call->sizes;");
    declareSlots("slot", "call->arena", entry.getSlots());
    declareSlots("packed", "call->packed", entry.getPacked());
    emitBlock(region.front());
    return "static void " + name + "(const WeftCall *call) {\n" + blocks.take() + "}\n\n";
  }

private:
  void declareSlots(StringRef name, std::string start, mlir::ArrayAttr slots) {
    for (auto [i, slot] : enumerate(slots)) {
      blocks.line("char *const {0}{1} = {2};", name, i, start);
      start = formatv("{0}{1} + {2}", name, i, slotBytes(context.names, slot));
    }
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
    return cast<mlir::DictionaryAttr>(list[number]).get("weft.name");
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
          blocks.line("memcpy({0}, {1}, (size_t){2});", buffers.lookup(copy.getTo()),
                      buffers.lookup(copy.getFrom()), size(copy));
        })
        .Case([&](plan::RandomKeyOp key) { emitRandomKey(key); })
        .Case([&](plan::LaunchOp launch) { emitLaunch(launch); })
        .Case([&](plan::LoopOp loop) { emitLoop(loop); });
  }

  void emitRandomKey(plan::RandomKeyOp op) {
    std::string first = "0", name = "key" + std::to_string(buffers.size());
    for (auto [pass, stride] : zip(op.getPasses(), op.getStrides()))
      first += formatv(" + (uint64_t){0} * UINT64_C({1})", buffers.lookup(pass), uint64_t(stride));
    blocks.line("uint64_t {0}[3] = {{call->seed, call->step, {1}};", name, first);
    buffers[op] = name;
  }

  void emitLaunch(plan::LaunchOp op) {
    auto names = map_range(op.getBuffers(), [&](auto buffer) { return buffers.lookup(buffer); });
    blocks.line("weft_launch(call, {0}, (void *const[]){{{1}}, 1);{2}",
                context.kernels.find(op.getKernel())->second.name, join(names, ", "),
                op.getLabel() ? " /* " + comment(*op.getLabel()) + " */" : "");
  }

  void emitLoop(plan::LoopOp op) {
    const std::string &i = context.names.loop(op.getDim());
    buffers[op.getBody().getArgument(0)] = i;
    blocks.inside(formatv(op.getReverse() ? "for (int64_t {0} = {1}; {0}-- > 0;)"
                                          : "for (int64_t {0} = 0; {0} < {1}; ++{0})",
                          i, context.names.extent(op.getDim())),
                  [&] { emitBlock(op.getBody().front()); });
  }

  plan::EntryOp entry;
  const EntryContext &context;
  Blocks blocks;
  mlir::DenseMap<mlir::Value, std::string> buffers;
};
} // namespace

EntryText emitEntry(plan::EntryOp entry, const std::string &name, const EntryContext &context) {
  EntryText text;
  auto size = [&](StringRef of, const std::string &value) {
    text.functions +=
        formatv("static int64_t {0}_{1}(const int64_t *sizes) {{\n  return {2};\n}\n\n", name, of,
                value.empty() ? "0" : value);
  };
  auto total = [&](mlir::ArrayAttr slots) { // one after the other
    std::string all;
    for (mlir::Attribute slot : slots)
      fold(all, "weft_all", slotBytes(context.names, slot));
    return all;
  };
  std::string scratch; // of the kernel that needs most
  SetVector<mlir::StringAttr> launched;
  entry.walk([&](plan::LaunchOp launch) { launched.insert(launch.getKernelAttr().getAttr()); });
  for (mlir::StringAttr kernel : launched)
    if (const Size &needs = context.kernels.find(kernel)->second.scratch; !(needs == Size()))
      fold(scratch, "weft_more", bytes(context.names, needs));
  size("arena", total(entry.getSlots()));
  size("scratch", scratch);
  size("packed", total(entry.getPacked()));
  bool prepares = !entry.getPacked().empty();
  if (prepares)
    text.functions += CallText(entry, context).emit(name + "_prepare", entry.getPrepare());
  text.functions += CallText(entry, context).emit(name + "_run", entry.getBody());
  text.row = formatv("{{{0}_arena, {0}_scratch, {0}_packed, {1}, {0}_run}", name,
                     prepares ? name + "_prepare" : "NULL");
  return text;
}

std::string emitSettle(mlir::ModuleOp plan, const Names &names) {
  Blocks blocks;
  model::Dims dims(plan);
  blocks.line("weft_size left, right;");
  for (auto dim : plan.getOps<model::DimOp>()) {
    Size size = dims.size(dim.getSymName());
    if (dim.getSizeAttr() && !size.constant())
      blocks.line("{0} = weft_whole({1});", names.extent(dim.getSymName()), names.checked(size));
  }
  constexpr const char *holds[] = {"left.value <= right.value", "left.value == right.value",
                                   "right.value > 0 && left.value % right.value == 0"};
  static_assert(unsigned(model::Relation::at_most) == 0 && unsigned(model::Relation::equal) == 1 &&
                unsigned(model::Relation::multiple) == 2);
  for (auto [number, entry] : enumerate(plan.getOps<plan::EntryOp>()))
    if (auto asked = entry->getAttrOfType<mlir::ArrayAttr>(model::requiresName))
      blocks.inside(formatv("if (entry == {0})", number), [&] {
        for (auto [i, what] : enumerate(asked.getAsRange<model::RequireAttr>())) {
          blocks.line("left = {0};", names.checked(what.getLeft()));
          blocks.line("right = {0};", names.checked(what.getRight()));
          blocks.line("if (weft_breaks(left, right, {0}, numbers))",
                      holds[static_cast<unsigned>(what.getRelation())]);
          blocks.line("  return {0};", i);
        }
      });
  return "static int32_t settle(uint32_t entry, int64_t *sizes, int64_t numbers[3]) {\n" +
         blocks.take() + "  return -1;\n}\n\n";
}

} // namespace weft::c
