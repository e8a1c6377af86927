// An attention as a kernel and as a program of the interpreter, made from one description.
#ifndef WEFT_TESTS_UNIT_CODEGEN_ATTENTIONCASE_H
#define WEFT_TESTS_UNIT_CODEGEN_ATTENTIONCASE_H

#include "ir/reference/Interpreter.h"
#include "tools/kernel/NamedTensor.h"

namespace weft::test {

using namespace weft::trial;

/// q, k and v over named dimensions, and a mask.
struct AttentionCase {
  using Dims = std::vector<std::string>;

  Dims dims; // declarations: a name, or `name=size`
  Dims q, k, v;
  std::string key = "t";
  Dims depth = {"d"};
  std::string mask = {}; // lines that define %mask; may read %m
  Dims maskDims = {};    // of %mask
  Dims operand = {};     // of %m; none if empty
  std::string scale = "0.25";
  std::string bias = {};                // lines that define %bias; may read %b
  std::optional<Dims> biasDims = {};    // of %bias; none without
  std::optional<Dims> biasOperand = {}; // of %b; none without
  bool biasGradient = true;             // whether it is wanted
  std::string cap = {};
  bool cappedBias = false;
  std::string keep = {};      // lines that define %keep
  Dims keepDims = {};         // of %keep
  bool narrowWeights = false; ///< products read weights as bf16
  /// Layouts that are not dense: of q, k, v, output, in that order; empty is dense.
  std::map<std::string, std::string> layouts = {};
  /// For every instruction set, or every device, where they are not the default's.
  std::string schedule = {}, gradientSchedule = {};

  /// Dimensions of the output and of the logsumexp.
  Dims output() const;
  Dims rows() const;

  bool isNarrow(const std::string &name) const;
  /// To numbers that a bfloat16 can be.
  static void round(Tensor &tensor);

  std::string forwardKernel() const;
  std::string gradientKernel() const;

  /// What the interpreter gives: output, logsumexp, then dq, dk, dv, and dbias if there is a bias
  /// of which it is wanted, for the gradient `g`.
  std::vector<Tensor> reference(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                const Tensor &g) const;
  /// By how much results of the attention, or of its gradient, may be off where weights are narrow.
  std::vector<Tensor> bounds(bool gradient, const Sizes &sizes,
                             const std::vector<Tensor> &given) const;

private:
  std::vector<Tensor> interpreted(bool gradient, const Sizes &sizes,
                                  const std::vector<Tensor> &given,
                                  const reference::NarrowWeights &narrow) const;
  std::string kernel(bool gradient) const;
  std::string body(bool gradient) const;
};

/// All gradients in one: where a row sees one key dq and dk are 0, and what cancels there is as
/// large as dv.
Tensor joined(const std::vector<Tensor> &tensors);

/// What is multiplied is stored as bf16; results, and what else comes in, as f32.
AttentionCase narrow(AttentionCase attention);
/// So is the output, as its gradient reads it.
AttentionCase narrowOutput(AttentionCase attention);
/// Products read weights as bf16.
AttentionCase narrowWeights(AttentionCase attention);
/// Keys "t" up to the position of the query "s".
AttentionCase causal(AttentionCase attention);
/// The same where `known` keys (a dimension of the case) come before the first query, as when a
/// text grows.
AttentionCase causalAfter(const std::string &known, AttentionCase attention);
/// Keys "t" up to the position of the query "s", and fewer than 20 before it.
AttentionCase windowed(AttentionCase attention);

/// A bias over `dims` that comes as it is.
AttentionCase biased(AttentionCase attention, const AttentionCase::Dims &dims);
/// A bias of slope["h"] * (t - s), as ALiBi has it.
AttentionCase sloped(AttentionCase attention);
/// Scores are capped at 1.5; with the bias, or without it.
AttentionCase capped(AttentionCase attention, bool bias = false);
/// A fifth of the weights is dropped, by numbers over `dims`.
AttentionCase dropped(AttentionCase attention, const AttentionCase::Dims &dims);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_ATTENTIONCASE_H
