// The functions of doubles against libm in long double, of numbers of any bits, for every
// instruction set.
#include "codegen/emit/math/WideMath.h"

#include "MathHarness.h"

#include <cfloat>

using namespace weft;
using namespace weft::test;
using namespace llvm;
namespace wide = emit::math::wide;

namespace {

struct Set {
  cpu::Isa isa;
  unsigned lanes;
};

void PrintTo(Set set, std::ostream *out) {
  *out << (set.lanes == 1 ? "scalar" : set.lanes == 4 ? "avx2" : "avx512");
}

constexpr double inf = INFINITY, nan = NAN, least = 0x1p-1022;
const std::vector<double> specials = {
    0,       0x1p-1074, 0x1p-1030,   least,       1e-300, 1e-20,  1e-9, 0.25,   0.5,    0.75,
    1,       1.5,       2,           2.5,         3,      4,      5,    6,      19.0,   20.5,
    100,     709.782,   709.79,      745.2,       0x1p31, 1e10,   1e22, 0x1p52, 0x1p53, 1e300,
    DBL_MAX, inf,       1 - 0x1p-53, 1 + 0x1p-52, M_PI_4, M_PI_2, M_PI};

std::vector<double> bothSigns(std::vector<double> xs) {
  for (size_t i = 0, count = xs.size(); i < count; ++i)
    xs.push_back(-xs[i]);
  return xs;
}

class WideMath : public testing::TestWithParam<Set> {
protected:
  using Unary = Value *(*)(IRBuilderBase &, Value *);

  static void compare(double got, long double want, double bound, std::string_view of) {
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(got)) << of << " gives " << got;
    else if (double(want) == 0 || std::isinf(double(want)))
      ASSERT_TRUE(got == double(want) && std::signbit(got) == std::signbit(want))
          << of << " gives " << got << " for " << double(want);
    else // below, a unit in the last place is more
      ASSERT_LE(std::abs(got - want), std::max(bound * std::abs(want), 0x1p-1074L))
          << of << " gives " << got << " for " << double(want);
  }

  void check(Unary f, long double (*truth)(long double), const std::vector<double> &xs,
             double bound) {
    MathFunction<double> function(GetParam().isa, GetParam().lanes,
                                  [&](IRBuilderBase &b, Value *x, Value *) { return f(b, x); });
    std::vector<double> got = function(xs, xs);
    double worst = 0;
    for (size_t i = 0; i < xs.size(); ++i) {
      long double want = truth(xs[i]);
      char text[40];
      snprintf(text, sizeof text, "%a", xs[i]);
      ASSERT_NO_FATAL_FAILURE(compare(got[i], want, bound, text));
      if (std::isfinite(double(want)) && std::abs(want) > least)
        worst = std::max(worst, double(std::abs((got[i] - want) / want)));
    }
    RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
  }

  /// Of special values, of any bits, and between `low` and `high`.
  void checkAll(Unary f, long double (*truth)(long double), double low, double high, double bound) {
    AnyBits any;
    std::vector<double> xs = bothSigns(specials);
    xs.push_back(nan);
    for (int i = 0; i < 200000; ++i) {
      xs.push_back(any.next<double>());
      xs.push_back(any.between(low, high));
      // of any size below the bounds
      double small = std::ldexp(any.between(0.5, 1), -int(any.whole() % 60));
      xs.push_back((any.whole() % 2 ? low : high) * small);
    }
    check(f, truth, xs, bound);
  }
};

// The single numbers are those whose results come closest to the middle between two doubles
// (Lefèvre, Muller 2001).
TEST_P(WideMath, Exp) {
  checkAll(wide::exp, std::exp, -746, 710, 1.2e-16);
  check(wide::exp, std::exp, {7.5417527749959590085e-10}, 1.2e-16);
}

TEST_P(WideMath, Log) {
  checkAll(wide::log, std::log, 0.5, 2, 1.2e-16);
  check(wide::log, std::log, {0x1.62a88613629b5p+678, 1 + 0x1p-52, 1 - 0x1p-53}, 1.2e-16);
}

TEST_P(WideMath, Tanh) {
  checkAll(wide::tanh, std::tanh, -20, 20, 1.7e-16);
}

TEST_P(WideMath, Erf) {
  checkAll(wide::erf, std::erf, -6, 6, 1.7e-16);
}

// x = 6381956970095103 * 2^797 comes closer to a multiple of pi / 2 than any other double.
TEST_P(WideMath, SinAndCos) {
  std::vector<double> close = {0x1.6ac5b262ca1ffp+849, 0x1.e0000000001c2p-20,
                               0x1.8000000000009p-23};
  for (int n = 1; n < 3000; ++n) { // the doubles around multiples of pi / 4
    double x = double(n * (M_PIl / 4));
    close.insert(close.end(), {x, std::nextafter(x, 0.), std::nextafter(x, inf)});
  }
  AnyBits any;
  for (int i = 0; i < 100000; ++i) // positions
    close.push_back(double(any.whole() >> (33 + any.whole() % 20)));
  struct {
    Unary f;
    long double (*truth)(long double);
  } const both[] = {{wide::sin, std::sin}, {wide::cos, std::cos}};
  for (auto [f, truth] : both) {
    checkAll(f, truth, -10, 10, 1.4e-16);
    checkAll(f, truth, -0x1p31, 0x1p31, 1.4e-16);
    check(f, truth, bothSigns(close), 1.4e-16);
  }
}

TEST_P(WideMath, Pow) {
  std::vector<double> x, y;
  for (double a : bothSigns(specials))
    for (double b : bothSigns(specials)) {
      x.insert(x.end(), {a, a, nan});
      y.insert(y.end(), {b, nan, b});
    }
  AnyBits any;
  auto add = [&](double a, double b) {
    x.push_back(a);
    y.push_back(b);
  };
  for (int i = 0; i < 200000; ++i) {
    add(any.next<double>(), any.next<double>());
    double a = std::abs(any.next<double>());
    add(a, any.between(-750, 750) / std::log(a)); // results of any size
    a = any.between(0.5, 2);
    add(a, any.between(-750, 750) / std::log(a));
    add(any.between(0, 40), any.between(-40, 40));
    add(double(any.whole() % 100) - 50, double(any.whole() % 60) - 20);
  }
  std::vector<double> got = MathFunction<double>(GetParam().isa, GetParam().lanes, wide::pow)(x, y);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    long double want = std::pow((long double)x[i], (long double)y[i]);
    char text[80];
    snprintf(text, sizeof text, "%a ^ %a", x[i], y[i]);
    // The nearest double where it is one, as a power of a small whole number.
    bool exact = want == double(want) && std::abs(want) > least;
    ASSERT_NO_FATAL_FAILURE(compare(got[i], want, exact ? 0 : 1.7e-16, text));
    if (std::isfinite(double(want)) && std::abs(want) > least)
      worst = std::max(worst, double(std::abs((got[i] - want) / want)));
  }
  RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

INSTANTIATE_TEST_SUITE_P(Isa, WideMath,
                         testing::Values(Set{cpu::Isa::x86_64_v3, 1}, Set{cpu::Isa::x86_64_v3, 4},
                                         Set{cpu::Isa::avx512, 8}),
                         [](const auto &info) { return testing::PrintToString(info.param); });

} // namespace
