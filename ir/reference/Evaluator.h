// Evaluates the ops of a block one after the other; the interpreter's inside.
#ifndef WEFT_IR_REFERENCE_EVALUATOR_H
#define WEFT_IR_REFERENCE_EVALUATOR_H

#include "ir/model/Bfloat16.h"
#include "ir/model/Dims.h"
#include "ir/model/infer/Infer.h"
#include "ir/reference/Space.h"

namespace weft::reference {

/// A value: its elements, and the dimensions they are indexed by.
struct Tensor {
  model::NamedTensorType type;
  Shared array;

  llvm::ArrayRef<DimAttr> dims() const { return type.getDims(); }
};

/// What `model.random` draws by.
struct RandomState {
  uint64_t seed = 0, step = 0;
};

/// Parameters by name. During a run all reads see `before`; what is assigned goes to `after`.
struct Storage {
  llvm::StringMap<Shared> before, after;
};

/// Sees the result of an op before anything reads it, and may change it: tests round it, to find
/// how far a rounding error goes.
using Observer = std::function<void(mlir::OpResult, llvm::ArrayRef<Tensor> operands, Array &)>;

/// What is made of weights that an attention's products read as bf16, and of gradients of scores.
struct NarrowWeights {
  /// Kernels round a weight relative to others than the row's sum: tests do so too.
  std::function<double(double)> round = model::roundedToBfloat16;
  /// Gives in place of such an attention's results by how much each may be off where somebody
  /// rounds weights otherwise, or not at all.
  bool bounds = false;
};

class Evaluator {
public:
  Evaluator(mlir::ModuleOp module, Sizes sizes, RandomState random, Storage &storage,
            const Observer *observer = nullptr, const NarrowWeights &narrow = {})
      : module(module), dims(module), sizes(std::move(sizes)), random(random), storage(storage),
        observer(observer), narrow(narrow) {}

  /// Runs `block` with its arguments bound; gives the operands of its terminator. Errors are
  /// reported at the op.
  llvm::FailureOr<std::vector<Tensor>> run(mlir::Block &block, llvm::ArrayRef<Tensor> arguments);

private:
  using Result = llvm::FailureOr<Array>;

  Tensor get(mlir::Value value) const { return values.at(value); }
  /// Sets `value` to `array`, once the observer has seen it.
  void take(mlir::OpResult value, Array array);
  llvm::LogicalResult evaluate(mlir::Operation *op);
  llvm::LogicalResult within(mlir::Operation *op);
  Result single(mlir::Operation *op);

  // EvaluateElementwise.cpp
  Result leaf(mlir::Operation *op);
  Array elementwise(mlir::Operation *op);
  Array unary(mlir::Operation *op);
  Array binary(model::BinaryFunctionOp op);
  Array compare(model::CompareOp op);
  Array where(model::WhereOp op);
  /// `function` of the operands' elements at every position of the result.
  template <typename Out, typename... In, typename Function>
  Array mapped(mlir::Operation *op, Function function);

  // EvaluateReductions.cpp
  Array reduction(mlir::Operation *op);

  // EvaluateMovement.cpp
  Result movement(mlir::Operation *op);
  Result gather(model::GatherOp op);
  Result scatter(model::ScatterOp op);
  Array insertPart(model::InsertPartOp op);
  Array stack(model::StackOp op);
  Array concat(model::ConcatOp op);
  Array regroup(model::RegroupOp op);
  /// `from` as a tensor of `type`: broadcast, rearranged, or a slice at a position of a dimension
  /// that `type` lacks.
  Array copied(Tensor from, model::NamedTensorType type,
               std::optional<std::pair<DimAttr, int64_t>> slice = std::nullopt);

  // EvaluateContraction.cpp
  /// Sum of a * b over every dimension that `dims` lacks.
  Tensor contract(Tensor a, Tensor b, llvm::ArrayRef<DimAttr> dims);
  /// As products that are `tf32` read it.
  Tensor asTf32(Tensor given);

  // EvaluateIdioms.cpp
  Array idiom(mlir::Operation *op);
  Tensor softmax(Tensor input, std::optional<Tensor> mask, DimAttr over, bool guarded = false);
  Tensor logSumExp(Tensor input, std::optional<Tensor> mask, DimAttr over);
  Array normalize(Tensor input, llvm::ArrayRef<DimAttr> over, double eps, bool centered);
  Array normalizeGrad(model::NormalizeGradOp op);
  Array softmaxGradient(Tensor weights, Tensor gradient, DimAttr over);
  Array weighed(Tensor weights, Tensor gradient, Tensor sum);

  // EvaluateAttention.cpp
  /// What an attention says of its scores; its gradient says the same.
  struct Scoring {
    model::AttentionOperands of;
    double scale, cap, keepFactor;
    bool cappedBias;
  };
  template <typename Op> static Scoring scoringOf(Op op);
  /// Scores, and by how much each rises with the product of its query and key, where that is not 1.
  struct Scores {
    Tensor all;
    std::optional<Tensor> slope;
  };
  Scores scores(const Scoring &scoring);
  /// Weights, or their gradients, as values meet them.
  Tensor dropped(const Scoring &scoring, Tensor weights);
  Tensor combined(Tensor all, Tensor part, llvm::function_ref<double(double, double)> function);
  std::optional<Tensor> given(mlir::Value value) const {
    return value ? std::optional(get(value)) : std::nullopt;
  }
  std::vector<Tensor> attention(model::AttentionOp op);
  std::vector<Tensor> attentionGrad(model::AttentionGradOp op);
  Tensor scaled(Tensor input, double factor);
  Tensor changed(Tensor input, llvm::function_ref<double(double)> function);
  /// What a product with `numbers`, which `narrows` says are read as bf16, gives: or its bound.
  Tensor weighted(Tensor numbers, Tensor by, llvm::ArrayRef<DimAttr> dims, bool narrows);

  // EvaluateLoops.cpp
  llvm::LogicalResult repeat(model::RepeatOp op);
  Array parameter(model::ParamOp op);
  void assign(model::AssignOp op);
  /// Where the slice of the current pass starts in storage, and its strides there for a value of
  /// `type`.
  std::pair<int64_t, Strides> passOf(model::ParameterOp declaration, model::NamedTensorType type);

  int64_t sizeOf(const Size &size) const;
  model::NamedTensorType typeOver(llvm::ArrayRef<DimAttr> dims);
  Tensor tensor(model::NamedTensorType type, Array array) const;
  /// An array of zeros for `type`.
  Array zeros(model::NamedTensorType type) const;

  mlir::ModuleOp module;
  model::Dims dims;
  Sizes sizes;
  RandomState random;
  Storage &storage;
  const Observer *observer; // may be null
  NarrowWeights narrow;
  llvm::DenseMap<mlir::Value, Tensor> values;
  /// The loops around what is evaluated, outermost first, and the position of the pass.
  llvm::SmallVector<std::pair<DimAttr, int64_t>> passes;
};

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_EVALUATOR_H
