// An attention as a kernel and as a program of the interpreter, made from one description.
#include "AttentionCase.h"

#include "ir/model/Model.h"
#include "ir/reference/Interpreter.h"

#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace weft::test {

using Dims = AttentionCase::Dims;

static bool contains(const Dims &dims, const std::string &dim) {
  return std::ranges::find(dims, dim) != dims.end();
}

static std::string type(const char *element, const Dims &dims) {
  std::string text = fmt::format("!model.tensor<{}", element);
  for (const std::string &dim : dims)
    text += ", " + dim;
  return text + ">";
}

static std::string dense(const Dims &dims) {
  Dims strides;
  for (size_t i = 0; i < dims.size(); ++i) {
    Dims inner(dims.begin() + i + 1, dims.end());
    strides.push_back(fmt::format(
        "{}: \"{}\"", dims[i], inner.empty() ? "1" : fmt::format("{}", fmt::join(inner, " * "))));
  }
  return fmt::format("#kernel.layout<{}>", fmt::join(strides, ", "));
}

static std::string declarations(const Dims &dims) {
  std::string text;
  for (const std::string &dim : dims) {
    size_t equals = dim.find('=');
    text += "model.dim @" + dim.substr(0, equals);
    text += equals == std::string::npos ? " or_empty\n" : " = <" + dim.substr(equals + 1) + ">\n";
  }
  return text;
}

Dims AttentionCase::rows() const {
  Dims result;
  for (const Dims &side : {q, k})
    for (const std::string &dim : side)
      if (dim != key && !contains(depth, dim) && !contains(result, dim))
        result.push_back(dim);
  return result;
}

Dims AttentionCase::output() const {
  Dims result = rows();
  for (const std::string &dim : v)
    if (dim != key && !contains(result, dim))
      result.push_back(dim);
  return result;
}

Sizes AttentionCase::sizes(Sizes free) const {
  for (const std::string &dim : dims)
    if (size_t equals = dim.find('='); equals != std::string::npos)
      free[dim.substr(0, equals)] = std::stoll(dim.substr(equals + 1));
  return free;
}

std::vector<Tensor> AttentionCase::sides(const Sizes &sizes, uint64_t drawn) const {
  return {Tensor::normal(q, sizes, drawn), Tensor::normal(k, sizes, drawn + 1),
          Tensor::normal(v, sizes, drawn + 2)};
}

std::string textOf(const Sizes &sizes) {
  std::string text;
  for (const auto &[dim, size] : sizes)
    text += dim + "=" + std::to_string(size) + " ";
  return text;
}

bool AttentionCase::isNarrow(const std::string &name) const {
  auto at = layouts.find(name);
  return at != layouts.end() && at->second.find("bf16") != std::string::npos;
}

void AttentionCase::round(Tensor &tensor) {
  for (double &each : tensor.data)
    each = std::bit_cast<float>(std::bit_cast<uint32_t>(float(each)) & 0xffff0000u);
}

namespace {
struct Value {
  std::string name, element;
  Dims dims;
};
} // namespace

static std::vector<Value> operandsOf(const AttentionCase &attention, bool gradient) {
  std::vector<Value> values{
      {"q", "f32", attention.q}, {"k", "f32", attention.k}, {"v", "f32", attention.v}};
  if (!attention.operand.empty())
    values.push_back({"m", "i1", attention.operand});
  if (attention.biasOperand)
    values.push_back({"b", "f32", *attention.biasOperand});
  if (gradient) {
    values.push_back({"o", "f32", attention.output()});
    values.push_back({"l", "f32", attention.rows()});
    values.push_back({"g", "f32", attention.output()});
  }
  return values;
}

static std::vector<Value> resultsOf(const AttentionCase &attention, bool gradient) {
  if (gradient) {
    std::vector<Value> all{
        {"dq", "f32", attention.q}, {"dk", "f32", attention.k}, {"dv", "f32", attention.v}};
    if (attention.biasDims && attention.biasGradient)
      all.push_back({"dbias", "f32", *attention.biasDims});
    return all;
  }
  return {{"output", "f32", attention.output()}, {"lse", "f32", attention.rows()}};
}

std::string AttentionCase::body(bool gradient) const {
  Dims quoted;
  for (const std::string &dim : depth)
    quoted.push_back('"' + dim + '"');
  bool masked = !mask.empty() || !maskDims.empty();
  std::string types = fmt::format("{}, {}, {}", type("f32", q), type("f32", k), type("f32", v));
  if (gradient)
    types += fmt::format(", {0}, {1}, {0}", type("f32", output()), type("f32", rows()));
  if (masked)
    types += ", " + type("i1", maskDims);
  std::string beside = masked ? " mask %mask" : "", attributes;
  if (biasDims)
    beside += fmt::format(" bias(%bias : {})", type("f32", *biasDims));
  if (!keepDims.empty())
    beside += fmt::format(" keep(%keep : {} by 1.25)", type("i1", keepDims));
  if (cappedBias || narrowWeights)
    attributes =
        fmt::format(" {{{}{}{}}}", cappedBias ? "capped_bias" : "",
                    cappedBias && narrowWeights ? ", " : "", narrowWeights ? "narrow_weights" : "");
  std::string results = !gradient  ? "%output, %lse"
                        : biasDims ? "%dq, %dk, %dv, %dbias"
                                   : "%dq, %dk, %dv";
  return fmt::format("{}\n{}\n{}\n{} = model.{} \"{}\" [{}] %q, %k, %v{}{} scale {}{}{} : {}\n",
                     mask, bias, keep, results, gradient ? "attention_grad" : "attention", key,
                     fmt::join(quoted, ", "), beside, gradient ? " of %o, %l by %g" : "", scale,
                     cap.empty() ? "" : " cap " + cap, attributes, types);
}

std::string AttentionCase::kernel(bool gradient) const {
  Dims arguments, inputs, types, names, lies;
  auto layout = [&](const Value &value) {
    auto at = layouts.find(value.name);
    lies.push_back(at == layouts.end() ? dense(value.dims) : at->second);
  };
  for (const Value &value : operandsOf(*this, gradient)) {
    std::string written = type(value.element.c_str(), value.dims);
    arguments.push_back(fmt::format("%{}.in: {}", value.name, written));
    inputs.push_back(fmt::format("%{0} = %{0}.in : {1}", value.name, written));
    layout(value);
  }
  for (const Value &value : resultsOf(*this, gradient)) {
    types.push_back(type(value.element.c_str(), value.dims));
    names.push_back('%' + value.name);
    layout(value);
  }
  const std::string &given = gradient ? gradientSchedule : schedule;
  std::string schedules =
      given.empty() ? ""
      : given.starts_with("#cuda")
          ? fmt::format(", schedule = {{sm_80 = {0}, sm_90a = {0}}}", given)
          : fmt::format(", schedule = {{avx512 = {0}, \"x86-64-v3\" = {0}}}", given);
  return fmt::format(
      "{}func.func @f({}) {{\n%r:{} = kernel.fused {} \"test\" ({}) -> ({}) attributes "
      "{{layouts = [{}]{}}} {{\n{}kernel.yield {} : {}\n}}\nreturn\n}}\n",
      declarations(dims), fmt::join(arguments, ", "), types.size(),
      gradient ? "attention_grad" : "attention", fmt::join(inputs, ", "), fmt::join(types, ", "),
      fmt::join(lies, ", "), schedules, body(gradient), fmt::join(names, ", "),
      fmt::join(types, ", "));
}

std::string AttentionCase::forwardKernel() const {
  return kernel(false);
}
std::string AttentionCase::gradientKernel() const {
  return kernel(true);
}

static reference::Array arrayOf(const Tensor &tensor, bool isSwitch) {
  reference::Array array;
  array.shape.assign(tensor.shape.begin(), tensor.shape.end());
  if (isSwitch)
    array.data = reference::Switches(tensor.data.begin(), tensor.data.end());
  else
    array.data = reference::Floats(tensor.data);
  return array;
}

std::vector<Tensor> AttentionCase::reference(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                             const Tensor &g) const {
  std::vector<Tensor> results = interpreted(false, sizes, inputs, {}), given = inputs;
  if (results.empty())
    return {};
  if (isNarrow("o"))
    round(results[0]);
  given.insert(given.end(), results.begin(), results.end());
  given.push_back(g);
  std::vector<Tensor> gradients = interpreted(true, sizes, given, {});
  results.insert(results.end(), gradients.begin(), gradients.end());
  return results;
}

std::vector<Tensor> AttentionCase::bounds(bool gradient, const Sizes &sizes,
                                          const std::vector<Tensor> &given) const {
  reference::NarrowWeights bounds;
  bounds.bounds = true;
  return interpreted(gradient, sizes, given, bounds);
}

std::vector<Tensor> AttentionCase::interpreted(bool gradient, const Sizes &sizes,
                                               const std::vector<Tensor> &given,
                                               const reference::NarrowWeights &narrow) const {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, model::ModelDialect>();
  std::vector<Value> operands = operandsOf(*this, gradient), values = resultsOf(*this, gradient);
  Dims arguments, types, names;
  for (const Value &value : operands)
    arguments.push_back(
        fmt::format("%{}: {}", value.name, type(value.element.c_str(), value.dims)));
  for (const Value &value : values) {
    types.push_back(type("f32", value.dims));
    names.push_back('%' + value.name);
  }
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      fmt::format("{}func.func @f({}) -> ({}) {{\n{}return {} : {}\n}}\n", declarations(dims),
                  fmt::join(arguments, ", "), fmt::join(types, ", "), body(gradient),
                  fmt::join(names, ", "), fmt::join(types, ", ")),
      &context);
  std::vector<reference::Array> arrays;
  for (size_t i = 0; i < given.size(); ++i)
    arrays.push_back(arrayOf(given[i], operands[i].element == "i1"));
  llvm::StringMap<int64_t> known;
  for (const auto &[dim, size] : sizes)
    if (contains(dims, dim))
      known[dim] = size;
  reference::Interpreter interpreter(*module, known);
  interpreter.setNarrowWeights(narrow);
  auto ran = interpreter.run("f", arrays);
  if (mlir::failed(ran)) {
    ADD_FAILURE() << "the interpreter refuses";
    return {};
  }
  std::vector<Tensor> results;
  for (size_t i = 0; i < values.size(); ++i) {
    results.emplace_back(values[i].dims, sizes);
    results.back().data = (*ran)[i].floats();
  }
  return results;
}

Tensor joined(const std::vector<Tensor> &tensors) {
  Tensor all({}, {});
  all.data.clear();
  for (const Tensor &tensor : tensors)
    all.data.insert(all.data.end(), tensor.data.begin(), tensor.data.end());
  return all;
}

static void store(AttentionCase &attention, const std::string &name, const Dims &dims) {
  std::string &layout = attention.layouts.try_emplace(name, dense(dims)).first->second;
  layout.insert(layout.rfind('>'), ", storage = bf16");
}

AttentionCase narrow(AttentionCase attention) {
  store(attention, "q", attention.q);
  store(attention, "k", attention.k);
  store(attention, "v", attention.v);
  store(attention, "g", attention.output());
  return attention;
}

AttentionCase narrowOutput(AttentionCase attention) {
  store(attention, "o", attention.output());
  return attention;
}

AttentionCase narrowWeights(AttentionCase attention) {
  attention.narrowWeights = true;
  return attention;
}

AttentionCase causal(AttentionCase attention) {
  attention.mask = R"(%i = model.index "t"
%j = model.index "s"
%mask = model.compare le %i, %j : !model.tensor<index<t>, t>, !model.tensor<index<s>, s>)";
  attention.maskDims = {"t", "s"};
  return attention;
}

AttentionCase causalAfter(const std::string &known, AttentionCase attention) {
  attention.mask = fmt::format(R"(%i = model.index "t"
%j = model.index "s"
%n = model.extent <{}>
%p = model.add %j, %n : !model.tensor<index<s>, s>, !model.tensor<i32>
%mask = model.compare le %i, %p : !model.tensor<index<t>, t>, !model.tensor<i32, s>)",
                               known);
  attention.maskDims = {"t", "s"};
  return attention;
}

AttentionCase windowed(AttentionCase attention) {
  attention.mask = R"(%i = model.index "t"
%j = model.index "s"
%n = model.constant 20 : i64
%d = model.sub %j, %i : !model.tensor<index<s>, s>, !model.tensor<index<t>, t>
%z = model.constant 0 : i64
%before = model.compare ge %d, %z : !model.tensor<i32, s, t>, !model.tensor<i32>
%near = model.compare lt %d, %n : !model.tensor<i32, s, t>, !model.tensor<i32>
%mask = model.and %before, %near : !model.tensor<i1, s, t>, !model.tensor<i1, s, t>)";
  attention.maskDims = {"s", "t"};
  return attention;
}

AttentionCase biased(AttentionCase attention, const AttentionCase::Dims &dims) {
  attention.biasDims = attention.biasOperand = dims;
  attention.bias =
      "%none = model.constant 0.0 : f64\n%bias = model.sub %b, %none : " + type("f32", dims) +
      ", !model.tensor<f32>";
  return attention;
}

AttentionCase sloped(AttentionCase attention) {
  attention.biasDims = {"h", "t", "s"};
  attention.biasOperand = {"h"};
  attention.biasGradient = false;
  attention.bias = R"(%bi = model.index "t"
%bj = model.index "s"
%far = model.sub %bi, %bj : !model.tensor<index<t>, t>, !model.tensor<index<s>, s>
%float = model.to_float %far : !model.tensor<i32, t, s>
%bias = model.mul %b, %float : !model.tensor<f32, h>, !model.tensor<f32, t, s>)";
  return attention;
}

AttentionCase capped(AttentionCase attention, bool bias) {
  attention.cap = "1.5";
  attention.cappedBias = bias;
  return attention;
}

AttentionCase dropped(AttentionCase attention, const AttentionCase::Dims &dims) {
  attention.keepDims = dims;
  attention.keep = "%draw = model.random \"layer.drop\" : " + type("f32", dims) +
                   "\n%rate = model.constant 0.2 : f64\n%keep = model.compare ge %draw, %rate : " +
                   type("f32", dims) + ", !model.tensor<f32>";
  return attention;
}

} // namespace weft::test
