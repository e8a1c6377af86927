// The instruction sets, and sizes as LLVM values.
#include "codegen/cpu/Emission.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <numeric>

using namespace llvm;

namespace weft::cpu {

unsigned lanes(Isa isa) {
  return isa == Isa::avx512 ? 16 : 8;
}

StringRef processor(Isa isa) {
  return isa == Isa::avx512 ? "x86-64-v4" : "x86-64-v3";
}

StringRef features(Isa isa) {
  constexpr StringLiteral v3 = "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt";
  static const std::string v4 =
      (v3 + ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,-prefer-256-bit").str();
  return isa == Isa::avx512 ? StringRef(v4) : StringRef(v3);
}

Function *Emission::function(StringRef name, FunctionType *type) {
  Function *result = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  result->addFnAttr(Attribute::NoUnwind);
  result->addFnAttr("target-cpu", processor(isa));
  result->addFnAttr("target-features", features(isa));
  result->addFnAttr("no-trapping-math", "true");
  if (isa == Isa::avx512)
    result->addFnAttr("prefer-vector-width", "512");
  BasicBlock::Create(module.getContext(), "entry", result);
  return result;
}

FixedVectorType *Emission::vector() {
  return FixedVectorType::get(Type::getFloatTy(module.getContext()), lanes(isa));
}

Value *Emission::extent(IRBuilderBase &builder, StringRef dim, Value *sizes) {
  auto at = dims.dims.find(dim);
  if (at == dims.dims.end())
    reportFatalInternalError("no dimension `" + dim + "` in the table of the kernels");
  if (at->second.size)
    return builder.getInt64(*at->second.size);
  Type *type = builder.getInt64Ty();
  Value *slot = builder.CreateConstInBoundsGEP1_64(type, sizes, at->second.number);
  return builder.CreateLoad(type, slot, dim);
}

std::optional<int64_t> Emission::known(const Size &size) const {
  return size.evaluate([&](const std::string &name) -> std::optional<int64_t> {
    auto at = dims.dims.find(name);
    return at == dims.dims.end() ? std::nullopt : at->second.size;
  });
}

Value *Emission::size(IRBuilderBase &builder, const Size &size, Value *sizes) {
  if (std::optional<int64_t> value = known(size))
    return builder.getInt64(*value);
  // A sum of quotients is exact as a whole, not term by term: (seq + 1) / 2. So all terms share one
  // denominator.
  int64_t denominator = 1;
  Size::Monomial below;
  for (const auto &[powers, coefficient] : size.terms()) {
    denominator = std::lcm(denominator, coefficient.denominator);
    for (const auto &[name, power] : powers)
      if (power < 0)
        below[name] = std::max(below[name], -power);
  }
  auto product = [&](int64_t factor, const Size::Monomial &powers) {
    Value *value = builder.getInt64(factor);
    for (const auto &[name, power] : powers) {
      // What is divided by a sum has that sum, in parentheses, for a name.
      Value *base = name.front() == '(' ? this->size(builder, *Size::parse(name), sizes)
                                        : extent(builder, name, sizes);
      for (int i = 0; i < power; ++i)
        value = builder.CreateNSWMul(value, base);
    }
    return value;
  };
  Value *sum = builder.getInt64(0);
  for (const auto &[powers, coefficient] : size.terms()) {
    Size::Monomial raised = powers;
    for (const auto &[name, power] : below)
      raised[name] += power;
    int64_t factor = coefficient.numerator * (denominator / coefficient.denominator);
    sum = builder.CreateNSWAdd(sum, product(factor, raised));
  }
  if (denominator == 1 && below.empty())
    return sum;
  return builder.CreateExactSDiv(sum, product(denominator, below));
}

} // namespace weft::cpu
