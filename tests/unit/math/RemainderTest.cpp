// The remainder of floats and doubles: bit for bit that of C's fmod, for numbers of any bits.
#include "codegen/emit/math/Remainder.h"

#include "MathHarness.h"

#include <cfloat>

using namespace weft;
using namespace weft::test;

namespace {

template <class Float> class Remainder : public testing::Test {};
using Both = testing::Types<float, double>;
TYPED_TEST_SUITE(Remainder, Both);

template <class Float> struct Pairs {
  std::vector<Float> x, y;
  void add(Float a, Float b) {
    x.push_back(a);
    y.push_back(b);
  }
};

template <class Float> Pairs<Float> pairs(AnyBits &any) {
  using Limits = std::numeric_limits<Float>;
  Pairs<Float> all;
  std::vector<Float> special = {0,
                                Limits::denorm_min(),
                                3 * Limits::denorm_min(),
                                Limits::min() - Limits::denorm_min(),
                                Limits::min(),
                                Float(0.1),
                                1,
                                1 - Limits::epsilon() / 2,
                                Float(1.5),
                                3,
                                1 / Limits::epsilon(),
                                Limits::max(),
                                Limits::infinity(),
                                Limits::quiet_NaN()};
  for (Float a : special)
    for (Float b : special)
      for (Float sign : {Float(1), Float(-1)}) {
        all.add(a, sign * b);
        all.add(-a, sign * b);
      }
  for (int i = 0; i < 100000; ++i) {
    Float a = any.next<Float>(), b = any.next<Float>();
    all.add(a, b);
    all.add(Float(any.between(-1e4, 1e4)), Float(any.between(-10, 10)));
    // multiples, and their neighbours, whose quotients round to a whole number
    Float n = Float(any.whole() >> (64 - Limits::digits + any.whole() % Limits::digits)) * b;
    all.add(n, b);
    all.add(std::nextafter(n, Float(0)), b);
    all.add(n, std::nextafter(b, Limits::infinity()));
    all.add(Float(double(any.whole() % 1000)), Float(double(any.whole() % 20)));
  }
  return all;
}

TYPED_TEST(Remainder, IsThatOfC) {
  using Float = TypeParam;
  AnyBits any;
  Pairs<Float> all = pairs<Float>(any);
  struct {
    cpu::Isa isa;
    unsigned lanes;
  } const sets[] = {{cpu::Isa::x86_64_v3, 1},
                    {cpu::Isa::x86_64_v3, 32 / sizeof(Float)},
                    {cpu::Isa::avx512, 64 / sizeof(Float)}};
  for (auto [isa, lanes] : sets) {
    MathFunction<Float> function(isa, lanes, emit::math::remainder);
    std::vector<Float> got = function(all.x, all.y);
    for (size_t i = 0; i < got.size(); ++i) {
      Float want = std::fmod(all.x[i], all.y[i]);
      ASSERT_TRUE(std::isnan(want) ? std::isnan(got[i])
                                   : got[i] == want && std::signbit(got[i]) == std::signbit(want))
          << all.x[i] << " by " << all.y[i] << " leaves " << want << ", not " << got[i] << " ("
          << lanes << " lanes)";
    }
  }
}

} // namespace
