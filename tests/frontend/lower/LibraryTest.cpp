// What the library has and no system of the record uses, in float64: against its formulas, written
// as plain loops.
#include "Built.h"
#include "Numbers.h"

#include "ir/reference/Interpreter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace weft;
using namespace weft::test;
using reference::Array;
using reference::Floats;
using reference::NamedArrays;
using reference::Switches;
using reference::Wholes;

namespace {

class Library : public testing::Test {
protected:
  Library() : built(Built::File{WEFT_SOURCE "/tests/frontend/systems/library.weft"}, {}) {
    EXPECT_EQ(built.errors(), "");
  }

  /// Runs a function; what it changes is found in `parameters` by the next run.
  NamedArrays run(const std::string &function, NamedArrays inputs) {
    auto results =
        reference::runInterpreted(*built.module, function, {std::move(inputs), parameters, {}, {}});
    EXPECT_TRUE(succeeded(results)) << function;
    if (failed(results))
      return {};
    parameters = std::move(results->parameters);
    return std::move(results->outputs);
  }

  Built built;
  NamedArrays parameters;
};

/// Each element of the result is `formula` of that of `x` at its place.
template <typename Formula> void agree(const Array &found, const Array &x, Formula formula) {
  ASSERT_EQ(found.floats().size(), x.floats().size());
  for (size_t i = 0; i < x.floats().size(); ++i)
    EXPECT_NEAR(found.floats()[i], formula(x.floats()[i]), 1e-14) << "at " << x.floats()[i];
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

TEST_F(Library, Activations) {
  Array x = numbers({101}, {.salt = 1, .scale = 16});
  NamedArrays y = run("activations", {{"x", x}});
  auto elu = [](double x, double alpha) { return x > 0 ? x : alpha * std::expm1(x); };
  agree(y["elu"], x, [&](double x) { return elu(x, 1); });
  agree(y["selu"], x, [&](double x) { return 1.0507009873554805 * elu(x, 1.6732632423543772); });
  agree(y["mish"], x, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
  agree(y["quick_gelu"], x, [](double x) { return x * sigmoid(1.702 * x); });
  agree(y["squared_relu"], x, [](double x) { return x > 0 ? x * x : 0; });
  auto hard = [](double x) { return x <= -3 ? 0 : x >= 3 ? 1 : (x + 3) / 6; };
  agree(y["hard_sigmoid"], x, hard);
  agree(y["hard_swish"], x, [&](double x) { return x * hard(x); });
}

TEST_F(Library, Errors) {
  Array x = numbers({40}, {.salt = 1, .scale = 6}), y = numbers({40}, {.salt = 2, .offset = 0.5});
  NamedArrays found = run("errors", {{"x", x}, {"y", y}});
  for (size_t i = 0; i < 40; ++i) {
    double a = x.floats()[i], b = y.floats()[i], far = std::abs(a - b);
    EXPECT_NEAR(found["squared"].floats()[i], far * far, 1e-14);
    EXPECT_NEAR(found["absolute"].floats()[i], far, 1e-14);
    EXPECT_NEAR(found["huber"].floats()[i], far < 0.3 ? far * far / 2 : 0.3 * (far - 0.15), 1e-14);
    EXPECT_NEAR(found["binary"].floats()[i],
                -b * std::log(sigmoid(a)) - (1 - b) * std::log(1 - sigmoid(a)), 1e-13);
  }
}

TEST_F(Library, LossesOfClasses) {
  constexpr int n = 6, classes = 5;
  Array x = numbers({n, classes}, {.salt = 1, .scale = 6});
  Array y = numbers({n, classes}, {.salt = 2, .scale = 6});
  Array target = numbers({n}, {.salt = 3, .modulus = classes});
  NamedArrays found = run("classes", {{"x", x}, {"y", y}, {"target", target}});
  for (int i = 0; i < n; ++i) {
    Floats p(classes), q(classes);
    double ps = 0, qs = 0, smoothed = 0, divergence = 0;
    for (int c = 0; c < classes; ++c) {
      ps += p[c] = std::exp(x.floats()[i * classes + c]);
      qs += q[c] = std::exp(y.floats()[i * classes + c]);
    }
    for (int c = 0; c < classes; ++c) {
      double weight = 0.2 / classes + (c == target.wholes()[i] ? 0.8 : 0);
      smoothed -= weight * std::log(p[c] / ps);
      divergence += p[c] / ps * std::log(p[c] / ps / (q[c] / qs));
    }
    EXPECT_NEAR(found["smoothed"].floats()[i], smoothed, 1e-13);
    EXPECT_NEAR(found["divergence"].floats()[i], divergence, 1e-13);
  }
}

TEST_F(Library, MeansOfWhatIsKept) {
  Array x{{3, 4}, Floats{1, 2, 3, 4, 5, 6, 7, 8, 3, 0, 0, 4}};
  Array keep{{3, 4}, Switches{1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1}};
  NamedArrays found = run("means", {{"x", x}, {"keep", keep}});
  EXPECT_EQ(found["mean"].floats(), (Floats{2, 0, 1.75}));
  EXPECT_NEAR(found["unit"].floats()[8], 0.6, 1e-15);
  EXPECT_NEAR(found["unit"].floats()[11], 0.8, 1e-15);
}

TEST_F(Library, NormsOfGroupsAndInstances) {
  constexpr int batch = 2, group = 2, channel = 3, space = 7;
  Array x = numbers({batch, group, channel, space}, {.salt = 1, .scale = 3, .offset = 1});
  Array weight = numbers({group, channel}, {.salt = 2}),
        bias = numbers({group, channel}, {.salt = 3});
  parameters = {{"grouped.weight", weight}, {"grouped.bias", bias}};
  NamedArrays found = run("norms", {{"x", x}});
  auto standard = [&](size_t i, size_t width) {
    size_t begin = i / width * width;
    double mean = 0, variance = 0;
    for (size_t j = begin; j < begin + width; ++j)
      mean += x.floats()[j] / width;
    for (size_t j = begin; j < begin + width; ++j)
      variance += std::pow(x.floats()[j] - mean, 2) / width;
    return (x.floats()[i] - mean) / std::sqrt(variance + 1e-5);
  };
  for (size_t i = 0; i < x.floats().size(); ++i) {
    size_t at = i / space % (group * channel);
    EXPECT_NEAR(found["groups"].floats()[i],
                standard(i, channel * space) * weight.floats()[at] + bias.floats()[at], 1e-13);
    EXPECT_NEAR(found["instances"].floats()[i], standard(i, space), 1e-13);
  }
}

TEST_F(Library, Positions) {
  constexpr int seq = 5, d = 6;
  Array x = numbers({seq, d}, {.salt = 1});
  Floats turned = run("pairs", {{"x", x}})["output"].floats();
  for (int p = 0; p < seq; ++p)
    for (int i = 0; i < d / 2; ++i) {
      double angle = p / std::pow(10000, 2.0 * i / d);
      double a = x.floats()[p * d + 2 * i], b = x.floats()[p * d + 2 * i + 1];
      EXPECT_NEAR(turned[p * d + 2 * i], a * std::cos(angle) - b * std::sin(angle), 1e-14);
      EXPECT_NEAR(turned[p * d + 2 * i + 1], a * std::sin(angle) + b * std::cos(angle), 1e-14);
    }
  Floats bias = run("bias", {{"x", numbers({seq}, {})}})["output"].floats();
  for (int h = 0; h < 4; ++h)
    for (int q = 0; q < seq; ++q)
      for (int k = 0; k < seq; ++k)
        EXPECT_NEAR(bias[(h * seq + q) * seq + k],
                    -std::pow(2, -2.0 * (h + 1)) * std::abs(double(k) - double(q)), 1e-14)
            << "a key on either side counts less the farther away it is";
}

/// As Llama 3.1 has it, in three cases: `factor` 8, `low_freq_factor` 1, `high_freq_factor` 4 and
/// `original_max_position_embeddings` 8192.
double stretchedFrequency(double frequency) {
  const double length = 2 * std::acos(-1.0) / frequency;
  if (length < 8192 / 4.0)
    return frequency;
  if (length > 8192 / 1.0)
    return frequency / 8;
  const double smooth = (8192 / length - 1) / (4 - 1);
  return (1 - smooth) * frequency / 8 + smooth * frequency;
}

TEST_F(Library, StretchedRotations) {
  constexpr int positions = 9, width = 64, half = width / 2;
  Array x = numbers({positions, width}, {.salt = 4});
  NamedArrays found = run("stretched", {{"x", x}});
  const Floats &in = x.floats(), &turned = found["turned"].floats(),
               &pairs = found["pairs"].floats();
  auto near = [](double a, double b) { EXPECT_NEAR(a, b, 1e-13); };
  auto turn = [&](double a, double b, double angle, double first, double second) {
    near(first, a * std::cos(angle) - b * std::sin(angle));
    near(second, b * std::cos(angle) + a * std::sin(angle));
  };
  std::set<int> cases;
  for (int p = 0; p < positions; ++p) {
    for (int i = 0; i < width; ++i) {
      double frequency = std::pow(500000, -double(i) / width),
             scaled = stretchedFrequency(frequency);
      cases.insert(scaled == frequency ? 0 : scaled == frequency / 8 ? 1 : 2);
      near(found["angles"].floats()[p * width + i], p * scaled);
      near(found["plain"].floats()[p * width + i], p * frequency);
    }
    for (int i = 0; i < half; ++i) {
      double angle = p * stretchedFrequency(std::pow(500000, -double(i) / half));
      size_t row = p * width;
      turn(in[row + i], in[row + half + i], angle, turned[row + i], turned[row + half + i]);
      turn(in[row + 2 * i], in[row + 2 * i + 1], angle, pairs[row + 2 * i], pairs[row + 2 * i + 1]);
    }
  }
  EXPECT_EQ(cases, (std::set{0, 1, 2})) << "frequencies kept, slowed and mixed";
}

TEST_F(Library, Rates) {
  constexpr int steps = 20;
  for (int step = 1; step <= steps; ++step) {
    NamedArrays rate = run("rates", {{"step", {{}, Wholes{step}}}, {"steps", {{}, Wholes{steps}}}});
    double warm = std::min(1.0, step / 4.0), done = std::max(0, step - 4) / 16.0;
    auto expect = [&](const char *name, double value) {
      EXPECT_NEAR(rate[name].floats()[0], warm * value, 1e-14) << name << " at step " << step;
    };
    expect("polynomial", 0.5 + 1.5 * std::pow(1 - done, 3));
    expect("exponential", 2 * std::pow(0.25, done));
    expect("stable", 0.5 + 1.5 * (step < 14 ? 1 : (20 - step) / 6.0));
    expect("stepwise", 2 * std::pow(0.5, (step - 1) / 5));
  }
}

/// From 6 to 10 dimensions; `heads` has 2 * 5 of them.
TEST_F(Library, InitialValues) {
  auto expect = [&](const char *name, model::InitKind kind, double value) {
    auto parameter = built.module->lookupSymbol<model::ParameterOp>(name);
    ASSERT_TRUE(parameter) << name;
    EXPECT_EQ(parameter.getInit(), kind) << name;
    EXPECT_NEAR(parameter.getValue().convertToDouble(), value, 1e-15) << name;
  };
  expect("xavier", model::InitKind::uniform, std::sqrt(6.0 / 16));
  expect("glorot", model::InitKind::normal, 0.5 * std::sqrt(2.0 / 16));
  expect("kaiming", model::InitKind::uniform, std::sqrt(6.0 / 6));
  expect("he", model::InitKind::normal, 1 / std::sqrt(6.0));
  expect("heads", model::InitKind::normal, std::sqrt(2.0 / 16));
  expect("optional", model::InitKind::normal, std::sqrt(2.0 / 6));
  expect("own", model::InitKind::uniform, 20.0 / 16);
  expect("cut", model::InitKind::truncated_normal, 0.02);
  expect("small.weight", model::InitKind::truncated_normal, 0.02);
  expect("smaller.weight", model::InitKind::truncated_normal, 0.01);
  expect("small.bias", model::InitKind::constant, 0);
}

TEST_F(Library, Optimizers) {
  Floats gradients = numbers({3, 5}, {.salt = 1}).floats(),
         start = numbers({5}, {.salt = 2}).floats();
  for (const char *name : {"by_adagrad", "by_rmsprop", "by_nesterov"}) {
    Floats weight = start, v(5);
    parameters = {{"weight", {{5}, start}}};
    for (int step = 1; step <= 3; ++step) {
      Floats gradient(gradients.begin() + (step - 1) * 5, gradients.begin() + step * 5);
      for (int i = 0; i < 5; ++i) {
        double g = gradient[i];
        if (std::string(name) == "by_nesterov") {
          g += 0.2 * weight[i];
          v[i] = 0.9 * v[i] + g;
          weight[i] -= 0.1 * (g + 0.9 * v[i]);
        } else {
          v[i] = std::string(name) == "by_adagrad" ? v[i] + g * g : 0.99 * v[i] + 0.01 * g * g;
          double eps = std::string(name) == "by_adagrad" ? 1e-10 : 1e-8;
          weight[i] -= 0.1 * g / (std::sqrt(v[i]) + eps);
        }
      }
      run(std::string(name) + ".update",
          {{"weight", {{5}, gradient}}, {"step", {{}, Wholes{step}}}, {"steps", {{}, Wholes{3}}}});
    }
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(parameters["weight"].floats()[i], weight[i], 1e-13) << name;
  }
}

} // namespace
