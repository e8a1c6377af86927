// A function of floats or doubles as the kernels have it, run over many numbers.
#ifndef WEFT_TESTS_UNIT_MATH_MATHHARNESS_H
#define WEFT_TESTS_UNIT_MATH_MATHHARNESS_H

#include "tools/kernel/Jit.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace weft::test {

/// f(x, y) over one vector, or over one scalar (lanes = 1).
template <class Float> class MathFunction {
public:
  using Code =
      llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, llvm::Value *, llvm::Value *)>;

  MathFunction(cpu::Isa isa, unsigned lanes, Code f) : jit(isa), lanes(lanes) {
    using namespace llvm;
    kernel::DimTable dims;
    cpu::IsaEmission emission{jit.module(), isa, dims};
    IRBuilder<> builder(jit.module().getContext());
    Type *pointer = builder.getPtrTy();
    auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false);
    auto *function = emission.function("f", type);
    builder.SetInsertPoint(&function->getEntryBlock());
    Type *value = sizeof(Float) == 8 ? builder.getDoubleTy() : builder.getFloatTy();
    if (lanes > 1)
      value = FixedVectorType::get(value, lanes);
    const Align alignment(sizeof(Float));
    Value *x = builder.CreateAlignedLoad(value, function->getArg(0), alignment);
    Value *y = builder.CreateAlignedLoad(value, function->getArg(1), alignment);
    builder.CreateAlignedStore(f(builder, x, y), function->getArg(2), alignment);
    builder.CreateRetVoid();
    run = jit.compile() ? jit.function<Kernel>("f") : nullptr;
    EXPECT_TRUE(run) << jit.problem();
  }

  std::vector<Float> operator()(std::vector<Float> x, std::vector<Float> y) {
    size_t count = x.size();
    x.resize((count + lanes - 1) / lanes * lanes);
    y.resize(x.size());
    std::vector<Float> result(x.size(), NAN);
    for (size_t i = 0; i < x.size(); i += lanes)
      run(&x[i], &y[i], &result[i]);
    result.resize(count);
    return result;
  }

  /// The optimized IR.
  const std::string &text() const { return jit.text(); }

private:
  using Kernel = void(const Float *, const Float *, Float *);
  trial::Jit jit;
  unsigned lanes;
  Kernel *run;
};

template <class Float> using BitsOf = std::conditional_t<sizeof(Float) == 8, int64_t, int32_t>;

/// Numbers of every size between `low` and `high`: steps through their bit patterns, both signs if
/// `low` < 0.
template <class Float = float>
std::vector<Float> spread(std::type_identity_t<Float> low, std::type_identity_t<Float> high,
                          size_t count) {
  using Bits = BitsOf<Float>;
  constexpr Bits least = std::numeric_limits<Bits>::min();
  auto ordered = [](Float x) {
    auto bits = std::bit_cast<Bits>(x);
    return bits < 0 ? least - bits : bits;
  };
  std::vector<Float> result;
  Bits from = ordered(low), to = ordered(high);
  for (size_t i = 0; i <= count; ++i) {
    auto place = Bits(from + Bits((double(to) - double(from)) * double(i) / double(count)));
    if (i == count)
      place = to;
    result.push_back(std::bit_cast<Float>(place < 0 ? Bits(least - place) : place));
  }
  return result;
}

inline std::vector<float> evenly(float low, float high, size_t count) {
  std::vector<float> result;
  for (size_t i = 0; i <= count; ++i)
    result.push_back(float(low + (double(high) - low) * double(i) / double(count)));
  return result;
}

/// Numbers of any bits, new each time; the seed is part of every message.
class AnyBits {
public:
  AnyBits()
      : seed(std::random_device()()), generator(seed),
        trace(__FILE__, __LINE__, "seed " + std::to_string(seed)) {}

  template <class Float> Float next() { return std::bit_cast<Float>(BitsOf<Float>(generator())); }
  /// Between `low` and `high`, near 0 as often as near 1.
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
  uint64_t whole() { return generator(); }

private:
  uint64_t seed;
  std::mt19937_64 generator;
  testing::ScopedTrace trace;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_MATH_MATHHARNESS_H
