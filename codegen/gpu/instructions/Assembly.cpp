// Writing and reading the texts of instructions.
#include "codegen/gpu/instructions/Assembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace weft::gpu {

const StringRef tanhText = "tanh.approx.f32 $0, $1;", tanhConstraints = "=f,f";
const StringRef narrowText = "cvt.rn.bf16x2.f32 $0, $1, $2;";

Value *narrowed(IRBuilderBase &b, Value *low, Value *high) {
  auto *type = FunctionType::get(b.getInt32Ty(), {b.getFloatTy(), b.getFloatTy()}, false);
  return b.CreateCall(InlineAsm::get(type, narrowText, "=r,f,f", false), {high, low});
}

static const char *nameOf(Element element) {
  return element == Element::bfloat16 ? "bf16" : element == Element::float16 ? "f16" : "tf32";
}

static std::string operands(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

std::string GroupProduct::text() const {
  unsigned sums = registers(), next = 2 * sums; // each register of sums is read and written
  std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) + "k" +
                     std::to_string(32 / bytesOf(element)) + ".f32." + nameOf(element) + "." +
                     nameOf(element) + " " + operands(0, sums) + ", ";
  text += leftInRegisters ? operands(next, 4) : "$" + std::to_string(next);
  next += leftInRegisters ? 4 : 1;
  text += ", $" + std::to_string(next) + ", " + (keeps ? "1" : "0") + ", 1, 1";
  if (element != Element::tf32) {
    if (!leftInRegisters)
      text += leftTransposed ? ", 1" : ", 0";
    text += rightTransposed ? ", 1" : ", 0";
  }
  return text + ";";
}

std::string GroupProduct::constraints() const {
  std::string text;
  for (unsigned i = 0; i < registers(); ++i)
    text += "=f,";
  for (unsigned i = 0; i < registers(); ++i)
    text += std::to_string(i) + ",";
  return text + (leftInRegisters ? "r,r,r,r,l" : "l,l");
}

std::optional<GroupProduct> GroupProduct::parsed(StringRef whole) {
  GroupProduct product;
  StringRef text = whole;
  unsigned depth;
  if (!text.consume_front("wgmma.mma_async.sync.aligned.m64n") ||
      text.consumeInteger(10, product.columns) || !text.consume_front("k") ||
      text.consumeInteger(10, depth))
    return std::nullopt;
  for (Element element : {Element::bfloat16, Element::float16, Element::tf32})
    if (text.starts_with((".f32." + Twine(nameOf(element)) + ".").str()))
      product.element = element;
  product.leftInRegisters = text.count('{') == 2;
  // What stands behind the last register.
  SmallVector<StringRef> flags;
  text.rsplit('$').second.split(flags, ", ");
  auto flag = [&](unsigned at) { return at < flags.size() && flags[at].starts_with("1"); };
  product.keeps = flag(1);
  product.leftTransposed = !product.leftInRegisters && flag(4);
  product.rightTransposed = flag(product.leftInRegisters ? 4 : 5);
  // It is only known if it is what would be written.
  return product.text() == whole ? std::optional(product) : std::nullopt;
}

std::string GroupWait::text() const {
  return "wgmma.wait_group.sync.aligned " + std::to_string(underWay) + ";";
}

std::string GroupWait::constraints() const {
  std::string text;
  for (unsigned i = 0; i < sums + others; ++i)
    text += i < sums ? "=f," : "=r,";
  for (unsigned i = 0; i < sums + others; ++i)
    text += std::to_string(i) + ",";
  return text + "~{memory}";
}

std::optional<unsigned> GroupWait::parsed(StringRef text) {
  unsigned underWay;
  if (!text.consume_front("wgmma.wait_group.sync.aligned ") || text.consumeInteger(10, underWay))
    return std::nullopt;
  return underWay;
}

} // namespace weft::gpu
