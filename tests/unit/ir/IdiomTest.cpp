// Softmax, logsumexp and normalization: values, corners, and gradients against central differences.
#include "Interpreted.h"

#include <gtest/gtest.h>

using namespace weft::test;

namespace {

const std::string ab = "%x: !model.tensor<f32, a, b>";
const std::string abg = ab + ", %g: !model.tensor<f32, a, b>";

Array softmax(Array x) {
  return evaluated("a? b?", ab, "%r = model.softmax \"b\" %x : <f32, a, b>", {x});
}

Array maskedSoftmax(Array x, Array mask) {
  return evaluated("a? b?", ab + ", %m: !model.tensor<i1, b>",
                   "%r = model.softmax \"b\" %x mask %m : <f32, a, b>, !model.tensor<i1, b>",
                   {x, mask});
}

TEST(Softmax, RowsAddUpToOneAndLargeScoresDoNotOverflow) {
  expectNear(softmax(floats({2, 2}, {0, std::log(3.0), 1000, 1000})),
             floats({2, 2}, {0.25, 0.75, 0.5, 0.5}));
  expectNear(softmax(floats({1, 2}, {0, -infinity})), floats({1, 2}, {1, 0}));
  expectNear(softmax(floats({2, 0}, {})), floats({2, 0}, {}));
}

TEST(Softmax, WithoutAMaskNothingKeptIsNaN) {
  expectNear(softmax(floats({2, 2}, {-infinity, -infinity, 1, infinity})),
             floats({2, 2}, {NaN, NaN, NaN, NaN}));
}

TEST(Softmax, WhatTheMaskDropsIsNotLookedAt) {
  expectNear(maskedSoftmax(floats({1, 3}, {NaN, 0, 0}), switches({3}, {0, 1, 1})),
             floats({1, 3}, {0, 0.5, 0.5}));
  expectNear(maskedSoftmax(floats({2, 2}, {1, NaN, 2, 3}), switches({2}, {0, 0})),
             floats({2, 2}, {0, 0, 0, 0}));
}

// A kept element that is not finite is NaN, and those beside it that are not kept stay 0.
TEST(Softmax, WhatIsNotFiniteStaysWhereItIs) {
  expectNear(maskedSoftmax(floats({3, 3}, {NaN, 5, 1, infinity, 5, 1, -infinity, 5, -infinity}),
                           switches({3}, {1, 0, 1})),
             floats({3, 3}, {NaN, 0, NaN, NaN, 0, 0, NaN, 0, NaN}));
  Array guarded = evaluated("a? b?", ab, "%r = model.softmax \"b\" %x guarded : <f32, a, b>",
                            {floats({1, 2}, {infinity, 1})});
  expectNear(guarded, floats({1, 2}, {NaN, 0}));
}

TEST(LogSumExp, Corners) {
  auto sum = [](Array x) {
    return evaluated("a? b?", ab, "%r = model.logsumexp \"b\" %x : <f32, a, b>", {x});
  };
  expectNear(sum(floats({2, 2}, {0, 0, 1000, 1000})),
             floats({2}, {std::log(2.0), 1000 + std::log(2.0)}));
  expectNear(sum(floats({3, 2}, {-infinity, -infinity, infinity, 0, NaN, 0})),
             floats({3}, {-infinity, infinity, NaN}));
  expectNear(sum(floats({2, 0}, {})), floats({2}, {-infinity, -infinity}));
}

TEST(Normalize, CenteredOrNot) {
  Array x = floats({2, 2}, {1, 3, -2, 2});
  auto norm = [&](const std::string &over, const std::string &centered) {
    return evaluated("a? b?", ab,
                     "%r = model.normalize [" + over + "] %x eps 3.0 centered " + centered +
                         " : <f32, a, b>",
                     {x});
  };
  double r = 1 / std::sqrt(7.0), s = 1 / std::sqrt(8.0);
  expectNear(norm("\"b\"", "true"), floats({2, 2}, {-0.5, 0.5, -2 * r, 2 * r}));
  expectNear(norm("\"b\"", "false"), floats({2, 2}, {s, 3 * s, -2 * r, 2 * r}));
  double all = 1 / std::sqrt(3 + 14.0 / 4); // mean 1, squares 0 4 9 1
  expectNear(norm("\"a\", \"b\"", "true"), floats({2, 2}, {0, 2 * all, -3 * all, all}));
}

/// d sum(g * f(x)) / dx by central differences in float64.
Array differences(const std::string &dims, const std::string &arguments, const std::string &f,
                  const std::vector<Array> &inputs) {
  Array result = inputs[0];
  constexpr double step = 1e-5;
  for (double &slope : std::get<Floats>(result.data)) {
    size_t i = &slope - std::get<Floats>(result.data).data();
    double value[2];
    for (int side : {0, 1}) {
      std::vector<Array> moved = inputs;
      std::get<Floats>(moved[0].data)[i] += side ? step : -step;
      value[side] = evaluated(dims, arguments,
                              f + "%p = model.mul %y, %g : <f32, a, b>, <f32, a, b>\n"
                                  "%r = model.sum [\"a\", \"b\"] %p : <f32, a, b>",
                              moved)
                        .floats()[0];
    }
    slope = (value[1] - value[0]) / (2 * step);
  }
  return result;
}

const std::vector<Array> xg = {floats({2, 3}, {0.3, -0.7, 1.1, 2.0, 0.1, -0.4}),
                               floats({2, 3}, {1, -2, 0.5, 0.25, 3, -1})};

TEST(Gradient, OfSoftmax) {
  std::string forward = "%y = model.softmax \"b\" %x : <f32, a, b>\n";
  expectNear(evaluated("a? b?", abg,
                       forward + "%r = model.softmax_grad \"b\" %y, %g : <f32, a, b>, <f32, a, b>",
                       xg),
             differences("a b", abg, forward, xg), 1e-8);
}

TEST(Gradient, OfNormalize) {
  for (std::string over : {"[\"b\"]", "[\"a\"]", "[\"a\", \"b\"]"})
    for (std::string centered : {"true", "false"}) {
      std::string options = " eps 0.01 centered " + centered;
      std::string forward = "%y = model.normalize " + over + " %x" + options + " : <f32, a, b>\n";
      expectNear(evaluated("a? b?", abg,
                           "%r = model.normalize_grad " + over + " %x, %g" + options +
                               " : <f32, a, b>, <f32, a, b>",
                           xg),
                 differences("a b", abg, forward, xg), 1e-8);
    }
}

TEST(Gradient, MayListItsDimensionsInAnotherOrder) {
  std::string arranged = "%h = model.arrange %g : <f32, a, b> -> <f32, b, a>\n";
  std::string direct =
      "%r = model.normalize_grad [\"b\"] %x, %g eps 0.01 centered true : <f32, a, b>, <f32, a, b>";
  std::string turned =
      arranged +
      "%r = model.normalize_grad [\"b\"] %x, %h eps 0.01 centered true : <f32, a, b>, <f32, b, a>";
  expectNear(evaluated("a? b?", abg, turned, xg), evaluated("a b", abg, direct, xg));
}

} // namespace
