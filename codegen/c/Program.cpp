// A planned module as one file of C.
#include "codegen/c/Program.h"

#include "codegen/c/Functions.h"
#include "codegen/c/Texts.h"
#include "codegen/host/EntryEmitter.h"
#include "codegen/host/Facts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft::c {

/// The facts as a string, in lines that an editor can show.
static std::string quoted(StringRef json) {
  constexpr size_t width = 90;
  std::string text;
  raw_string_ostream stream(text);
  for (; !json.empty(); json = json.drop_front(std::min(width, json.size()))) {
    stream << "\n    \"";
    for (char c : json.take_front(width))
      c == '?' ? stream << "\\?" : stream.write_escaped(StringRef(&c, 1)); // no trigraph
    stream << '"';
  }
  return text;
}

constexpr StringLiteral head =
    R"(/* Made by Weft of {0}. Portable C11, one thread. To be compiled with
 *   cc -std=c11 -O2 -ffp-contract=off -c
 * (each operation rounds once, which a fused one would change) and linked with Weft's runtime. */
#include <math.h>
#include <stdbool.h>

{1}
/* The dimensions: numbers, or what comes with the data. */
{2}
)";

mlir::FailureOr<std::string> emitProgram(mlir::ModuleOp plan, const ProgramSymbols &symbols) {
  Names names(plan);
  std::string json = factsAsJson(plan);
  EntryContext context{names, {}, parameterNumbers(plan)};
  std::string source = "a plan";
  for (auto op : plan.getOps<model::SourceOp>())
    source = comment(op.getFile());
  std::string text = formatv(head.data(), source, preamble, names.definitions()).str();
  for (auto [i, kernel] : enumerate(plan.getOps<plan::KernelOp>())) {
    // The number keeps apart what only differs in characters that C does not have.
    std::string name = formatv("kernel{0}_{1}", i, identifier(kernel.getSymName()));
    auto fused = cast<kernel::FusedOp>(kernel.getBody().front().front());
    mlir::FailureOr<KernelText> emitted = emitKernel(fused, name, names);
    if (failed(emitted))
      return mlir::failure();
    text += emitted->text;
    context.kernels[kernel.getSymName()] = std::move(*emitted);
  }
  SmallVector<std::string> rows;
  std::string kernels;
  StringMap<uint64_t> buffers = buffersOfKernels(plan);
  for (auto kernel : plan.getOps<plan::KernelOp>())
    kernels += formatv("{{{0}, \"{1}\", {2}},\n    ",
                       context.kernels.find(kernel.getSymName())->second.name, kernel.getSymName(),
                       buffers.lookup(kernel.getSymName()));
  for (auto [i, entry] : enumerate(plan.getOps<plan::EntryOp>())) {
    std::string name = formatv("entry{0}_{1}", i, identifier(entry.getSymName()));
    text += emitEntry(entry, name, context);
    rows.push_back(formatv("{{.scratch = {0}_scratch, .run = {0}_run}", name));
  }
  const std::string &next = symbols.next; // the same model for another target
  text += formatv(
      "static const WeftEntryCode entries[] = {{\n    {0}};\n\n"
      "static const WeftNamedKernel kernels[] = {{\n    {7}{{0}};\n\n"
      "static const char facts[] ={1};\n\n"
      "{4}const WeftProgram {5} = {{WEFT_ABI_VERSION, {2}, facts, {3},\n"
      "    {{[WEFT_ISA_PORTABLE] = entries}{6}, .kernels = {{[WEFT_ISA_PORTABLE] = kernels}};\n",
      join(rows, ",\n    "), quoted(json), rows.size(), json.size(),
      next.empty() ? "" : "extern const WeftProgram " + next + ";\n", symbols.own,
      next.empty() ? "" : ", .next = &" + next, kernels);
  return text;
}

} // namespace weft::c
