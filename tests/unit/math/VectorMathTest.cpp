// The vector functions against libm in double, over wide ranges, for every instruction set.
#include "codegen/emit/math/VectorMath.h"
#include "ir/model/FloatFunctions.h"

#include "MathHarness.h"

#include <cmath>
#include <numbers>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

using Unary = Value *(*)(IRBuilderBase &, Value *);
using Function = MathFunction<float>;

struct Set {
  cpu::Isa isa;
  unsigned lanes;
};

void PrintTo(Set set, std::ostream *out) {
  *out << (set.isa == cpu::Isa::avx512 ? "avx512" : "avx2") << (set.lanes == 1 ? "scalar" : "");
}

class VectorMath : public testing::TestWithParam<Set> {
protected:
  static bool hasSegments() { return GetParam().isa != cpu::Isa::x86_64_v3; }
  /// As kernels of the set have it.
  static Unary codeOf(StringRef name) {
    Unary own = hasSegments() ? cpu::segmentedFunction(name) : nullptr;
    return own ? own : emit::math::function(name).narrow;
  }
  /// The largest error of `f` on `xs`, relative to the true value plus `floor`.
  void check(Unary f, double (*truth)(double), const std::vector<float> &xs, double bound,
             double floor = 1e-37) {
    Function function(GetParam().isa, GetParam().lanes,
                      [&](IRBuilderBase &b, Value *x, Value *) { return f(b, x); });
    std::vector<float> got = function(xs, xs);
    double worst = 0;
    float at = 0;
    for (size_t i = 0; i < xs.size(); ++i) {
      double want = truth(xs[i]);
      if (std::abs(want) > 3.4028235e38) {
        ASSERT_TRUE(std::isinf(got[i]) && (got[i] > 0) == (want > 0))
            << xs[i] << " gives " << got[i];
        continue;
      }
      double error = std::abs(got[i] - want) / (std::abs(want) + floor);
      ASSERT_FALSE(std::isnan(error)) << xs[i] << " gives " << got[i];
      if (error > worst) {
        worst = error;
        at = xs[i];
      }
    }
    EXPECT_LE(worst, bound) << "at " << at;
    RecordProperty("worst", std::to_string(worst * 1e9) + "e-9");
  }
  /// What `f` gives for single values.
  std::vector<float> values(Unary f, std::vector<float> xs) {
    return Function(GetParam().isa, GetParam().lanes,
                    [&](IRBuilderBase &b, Value *x, Value *) { return f(b, x); })(xs, xs);
  }
};

const float inf = INFINITY, nan = NAN;

/// The floats nearest to `x`, which is not 0, `count` on each side.
std::vector<float> around(float x, int count) {
  std::vector<float> xs;
  for (int i = -count; i <= count; ++i)
    xs.push_back(std::bit_cast<float>(std::bit_cast<int32_t>(x) + i));
  return xs;
}

TEST_P(VectorMath, Exp) {
  check(emit::math::exp, std::exp, evenly(-87.33654f, 89, 400000), 1.2e-7);
  check(emit::math::exp, std::exp, spread(-1, 1, 400000), 1.2e-7);
  // Around what is as large as a float can be, as small as one that is not denormal, and around
  // powers of two.
  check(emit::math::exp, std::exp, around(88.722839f, 2000), 1.2e-7);
  std::vector<float> small = around(-87.336544f, 2000);
  std::erase_if(small, [](float x) { return std::exp(double(x)) < 0x1p-126; });
  EXPECT_GT(small.size(), 1000u);
  check(emit::math::exp, std::exp, small, 1.2e-7);
  for (int n = -125; n < 128; ++n)
    if (n != 0)
      check(emit::math::exp, std::exp, around(float(n * std::numbers::ln2), 200), 1.2e-7);
  std::vector<float> got = values(emit::math::exp, {0, -0.f, inf, -inf, 1e30f, -1e30f, nan});
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], 1);
  EXPECT_EQ(got[2], inf);
  EXPECT_EQ(got[3], 0);
  EXPECT_EQ(got[4], inf);
  EXPECT_EQ(got[5], 0);
  EXPECT_TRUE(std::isnan(got[6]));
}

TEST_P(VectorMath, Exp2) {
  check(emit::math::exp2, std::exp2, evenly(-125.4f, 129, 400000), 1.2e-7);
  std::vector<float> got = values(emit::math::exp2, {0, 1, -3, 127, 128, -inf, inf, nan});
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], 2);
  EXPECT_EQ(got[2], 0.125f);
  EXPECT_EQ(got[3], 0x1p127f);
  EXPECT_EQ(got[4], inf);
  EXPECT_EQ(got[5], 0);
  EXPECT_EQ(got[6], inf);
  EXPECT_TRUE(std::isnan(got[7]));
}

TEST_P(VectorMath, Log) {
  check(emit::math::log, std::log, spread(0x1p-126f, 3.4e38f, 400000), 1.5e-7);
  check(emit::math::log, std::log, spread(0.5f, 2, 400000), 1.5e-7);
  std::vector<float> got = values(emit::math::log, {0, -0.f, 1, inf, -1, -inf, nan});
  EXPECT_EQ(got[0], -inf);
  EXPECT_EQ(got[1], -inf);
  EXPECT_EQ(got[2], 0);
  EXPECT_EQ(got[3], inf);
  EXPECT_TRUE(std::isnan(got[4]) && std::isnan(got[5]) && std::isnan(got[6]));
}

/// Where one polynomial ends and another begins, and where the last one does: multiples of `step`
/// up to `last`, and what lies around them, with both signs.
std::vector<float> seams(float step, float last) {
  std::vector<float> xs;
  for (float seam = step; seam < last; seam += step)
    for (float x : around(seam, 500))
      xs.insert(xs.end(), {x, -x});
  return xs;
}

/// What codegen/cpu/base/SegmentedMath.cpp says of its coefficients.
constexpr double segmentedErfBound = 1.7e-7, segmentedTanhBound = 1e-7;

TEST_P(VectorMath, Tanh) {
  const Unary tanh = codeOf("tanh");
  const double bound = hasSegments() ? segmentedTanhBound : 2.5e-7;
  check(tanh, std::tanh, spread(-20, 20, 400000), bound);
  check(tanh, std::tanh, evenly(-12, 12, 400000), bound);
  check(tanh, std::tanh, seams(0.59375f / 2, 10), bound);
  std::vector<float> got = values(tanh, {0, -0.f, inf, -inf, nan, 10});
  EXPECT_EQ(got[0], 0);
  EXPECT_TRUE(std::signbit(got[1]));
  EXPECT_EQ(got[2], 1);
  EXPECT_EQ(got[3], -1);
  EXPECT_TRUE(std::isnan(got[4]));
  EXPECT_EQ(got[5], 1);
  EXPECT_EQ(values(tanh, {9.21f})[0], 1);
}

TEST_P(VectorMath, Erf) {
  const Unary erf = codeOf("erf");
  const double bound = hasSegments() ? segmentedErfBound : 2e-7;
  check(erf, std::erf, spread(-10, 10, 400000), bound);
  check(erf, std::erf, evenly(-5, 5, 400000), bound);
  check(erf, std::erf, seams(0.125f, 5), bound);
  std::vector<float> got = values(erf, {0, inf, -inf, nan});
  EXPECT_EQ(got[0], 0);
  EXPECT_EQ(got[1], 1);
  EXPECT_EQ(got[2], -1);
  EXPECT_TRUE(std::isnan(got[3]));
  EXPECT_TRUE(std::signbit(values(erf, {-0.f})[0]));
}

// A scalar is the same number as a lane (docs/decisions/047), of vectors of any length.
TEST_P(VectorMath, EveryLaneIsTheScalar) {
  for (const model::FloatFunction &row : model::floatFunctions) {
    SCOPED_TRACE(row.name);
    auto of = [&](unsigned lanes) {
      return Function(GetParam().isa, lanes,
                      [&](IRBuilderBase &b, Value *x, Value *) { return codeOf(row.name)(b, x); });
    };
    std::vector<float> xs = spread(-80, 80, 20000);
    xs.insert(xs.end(), {0, -0.f, inf, -inf});
    std::vector<float> scalars = of(1)(xs, xs);
    for (unsigned lanes : {4, 8, 16}) {
      std::vector<float> got = of(lanes)(xs, xs);
      for (size_t i = 0; i < xs.size(); ++i)
        ASSERT_TRUE(std::bit_cast<int32_t>(got[i]) == std::bit_cast<int32_t>(scalars[i]) ||
                    (std::isnan(got[i]) && std::isnan(scalars[i])))
            << lanes << " lanes, at " << xs[i] << ": " << got[i] << " and " << scalars[i];
    }
  }
}

TEST_P(VectorMath, SinAndCos) {
  for (float high : {3.2f, 1e3f, 1e6f, 3e7f, 1e12f, 3.4e38f}) {
    check(emit::math::sin, std::sin, evenly(-high, high, 100000), 1e-7, 1);
    check(emit::math::cos, std::cos, evenly(-high, high, 100000), 1e-7, 1);
  }
  check(emit::math::sin, std::sin, spread(-3.4e38f, 3.4e38f, 300000), 1e-7, 1);
  check(emit::math::sin, std::sin, spread(0, 1, 100000), 1.5e-7);
  std::vector<float> got = values(emit::math::sin, {0, inf, -inf, nan});
  EXPECT_EQ(got[0], 0);
  EXPECT_TRUE(std::isnan(got[1]) && std::isnan(got[2]) && std::isnan(got[3]));
  EXPECT_EQ(values(emit::math::cos, {0})[0], 1);
}

TEST_P(VectorMath, Roots) {
  check(emit::math::sqrt, std::sqrt, spread(0, 3.4e38f, 100000), 6e-8);
  check(
      emit::math::rsqrt, [](double x) { return 1 / std::sqrt(x); }, spread(1e-37f, 3.4e38f, 100000),
      1.2e-7);
  EXPECT_EQ(values(emit::math::rsqrt, {0})[0], inf);
}

TEST_P(VectorMath, Pow) {
  Function function(GetParam().isa, GetParam().lanes, emit::math::pow);
  std::vector<float> x, y;
  for (float base : spread(1e-37f, 3e38f, 700))
    for (float exponent : evenly(-40, 40, 400)) {
      x.push_back(base);
      y.push_back(exponent + 0.37f);
    }
  for (float base : evenly(0.9f, 1.1f, 300))
    for (float exponent : evenly(-900, 900, 300)) {
      x.push_back(base);
      y.push_back(exponent);
    }
  std::vector<float> got = function(x, y);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double want = std::pow(double(x[i]), double(y[i]));
    if (want < 0x1p-126)
      EXPECT_LE(std::abs(got[i]), 0x1.00001p-126) << x[i] << " ^ " << y[i];
    else if (want > 3.4028235e38)
      EXPECT_EQ(got[i], inf) << x[i] << " ^ " << y[i];
    else
      worst = std::max(worst, std::abs(got[i] - want) / want);
  }
  EXPECT_LE(worst, 2e-7);

  const float special[] = {0, -0.f, 1, -1, 2, -2, 0.5f, -0.5f, 3, -3, 1e10f, 2.5f, inf, -inf, nan};
  x.clear();
  y.clear();
  for (float a : special)
    for (float b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  got = function(x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    float want = std::pow(x[i], y[i]);
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got[i])) << x[i] << " ^ " << y[i] << " gives " << got[i];
    else if (std::isinf(want) || want == 0)
      EXPECT_TRUE(got[i] == want && std::signbit(got[i]) == std::signbit(want))
          << x[i] << " ^ " << y[i] << " gives " << got[i];
    else
      EXPECT_NEAR(got[i], want, std::abs(want) * 2e-7) << x[i] << " ^ " << y[i];
  }
}

TEST_P(VectorMath, PowerAndExtrema) {
  auto power = [&](int64_t n, float x) {
    return Function(GetParam().isa, GetParam().lanes, [&](IRBuilderBase &b, Value *v, Value *) {
      return emit::math::power(b, v, n);
    })({x}, {x})[0];
  };
  EXPECT_EQ(power(0, nan), 1);
  EXPECT_EQ(power(5, -2), -32);
  EXPECT_EQ(power(-2, 4), 0.0625f);
  Function larger(GetParam().isa, GetParam().lanes, emit::math::maximum);
  Function smaller(GetParam().isa, GetParam().lanes, emit::math::minimum);
  std::vector<float> a = {1, 2, nan, 1, -inf}, b = {2, 1, 1, nan, inf};
  std::vector<float> high = larger(a, b), low = smaller(a, b);
  EXPECT_EQ(high[0], 2);
  EXPECT_EQ(high[1], 2);
  EXPECT_EQ(high[4], inf);
  EXPECT_EQ(low[0], 1);
  EXPECT_EQ(low[1], 1);
  EXPECT_EQ(low[4], -inf);
  for (const std::vector<float> *got : {&high, &low})
    EXPECT_TRUE(std::isnan((*got)[2]) && std::isnan((*got)[3]));
}

// What the table says of a function holds of its code.
TEST_P(VectorMath, EveryFunctionIsAsItsRowSays) {
  constexpr double ulp = 0x1p-23;
  for (const model::FloatFunction &row : model::floatFunctions) {
    SCOPED_TRACE(row.name);
    std::vector<float> xs = spread(-80, 80, 100000);
    std::vector<float> got = values(codeOf(row.name), xs);
    for (size_t i = 0; i < xs.size(); ++i) {
      double wanted = row.evaluate(xs[i]);
      ASSERT_EQ(std::isnan(got[i]), std::isnan(wanted)) << "at " << xs[i];
      // Denormal numbers, and what is made of them, may count as 0.
      if (std::isnan(wanted) || std::abs(wanted) < 0x1p-125 || std::abs(xs[i]) < 0x1p-125)
        continue;
      ASSERT_GE(got[i], row.least) << "at " << xs[i];
      ASSERT_LE(got[i], row.most) << "at " << xs[i];
      ASSERT_NEAR(got[i], wanted, (row.relative * std::abs(wanted) + row.absolute) * ulp)
          << "at " << xs[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, VectorMath,
                         testing::Values(Set{cpu::Isa::x86_64_v3, 1}, Set{cpu::Isa::x86_64_v3, 8},
                                         Set{cpu::Isa::avx512, 1}, Set{cpu::Isa::avx512, 16}),
                         [](const auto &info) { return testing::PrintToString(info.param); });

} // namespace
