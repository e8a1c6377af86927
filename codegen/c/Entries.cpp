// The entries of a program as C functions: launches and copies in the order of the plan.
#include "codegen/c/Blocks.h"
#include "codegen/c/Functions.h"
#include "codegen/host/EntryEmitter.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace weft::c {

namespace {
/// What runs an entry. Addresses are C expressions, most of them variables.
class RunText : EntryEmitter<std::string> {
public:
  RunText(plan::EntryOp entry, const EntryContext &context)
      : EntryEmitter(entry, context.parameters), context(context) {}

  std::string body() {
    blocks.line("const int64_t *const sizes = call->sizes;");
    emitBlock(entry.getBody().front());
    return blocks.take();
  }

private:
  using Text = std::string;

  Text element(const CallTable &table, unsigned number, StringRef name) override {
    Text text = formatv("call->{0}[{1}]", table.name, number);
    return table == workTable ? text : variable(text, name);
  }
  Text behind(const Text &base, const Size &bytes, const Text *pass) override {
    return variable(base + " + " + context.names.size(bytes) + (pass ? " * " + *pass : ""), "");
  }
  Text variable(const Text &address, StringRef of) {
    Text name = "b" + std::to_string(count++);
    blocks.line("char *const {0} = {1};{2}", name, address, remark(of));
    return name;
  }
  static Text remark(StringRef text) { return text.empty() ? "" : " /* " + comment(text) + " */"; }

  void copy(const Text &to, const Text &from, const Size &bytes) override {
    blocks.line("weft_copy(call, {0}, {1}, {2});", to, from, context.names.size(bytes));
  }

  void randomKey(const Text &key, ArrayRef<Text> passes, ArrayRef<int64_t> strides) override {
    Text first = "0";
    for (auto [pass, stride] : zip(passes, strides))
      first += formatv(" + (uint64_t){0} * UINT64_C({1})", pass, uint64_t(stride));
    blocks.line("weft_random_key(call, {0}, {1});", key, first);
  }

  void launch(plan::LaunchOp op, ArrayRef<Text> buffers) override {
    blocks.line("weft_launch(call, {0}, (void *const[]){{{1}}, 1);{2}",
                context.kernels.find(op.getKernel())->second.name, join(buffers, ", "),
                remark(op.getLabel().value_or("")));
  }

  void loop(plan::LoopOp op, function_ref<void(const Text &)> body) override {
    Text i = context.names.loop(op.getDim());
    blocks.loop(i, context.names.extent(op.getDim()), op.getReverse(), [&] { body(i); });
  }

  const EntryContext &context;
  Blocks blocks;
  unsigned count = 0;
};
} // namespace

std::string emitEntry(plan::EntryOp entry, const std::string &name, const EntryContext &context) {
  std::string most; // bytes of the kernel that needs most
  for (mlir::StringAttr kernel : kernelsOf(entry))
    if (const Size &needs = context.kernels.find(kernel)->second.scratch; !(needs == Size()))
      most += formatv("  most = fmax(most, {0});\n", context.names.size(needs));
  return formatv("static int64_t {0}_scratch(const int64_t *sizes) {{\n"
                 "  int64_t most = 0;\n{1}  return most;\n}\n\n"
                 "static void {0}_run(const WeftCall *call) {{\n{2}}\n\n",
                 name, most, RunText(entry, context).body());
}

} // namespace weft::c
