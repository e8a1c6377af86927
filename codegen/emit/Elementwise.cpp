// One elementwise op of the model dialect as LLVM IR.
#include "codegen/emit/Elementwise.h"

#include "codegen/emit/math/Parts.h"
#include "codegen/emit/math/Remainder.h"
#include "codegen/emit/math/VectorMath.h"
#include "codegen/emit/math/WideMath.h"
#include "ir/model/Arithmetic.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace llvm;
using mlir::Operation;

namespace weft::emit {

Type *Numbers::type(LLVMContext &context, mlir::Type element) const {
  if (element.isF32())
    return wide ? Type::getDoubleTy(context) : Type::getFloatTy(context);
  if (element.isInteger(1))
    return Type::getInt1Ty(context);
  return Type::getInt32Ty(context);
}

ElementwiseEmitter::ElementwiseEmitter(IRBuilderBase &builder, const Emission &emission,
                                       Value *sizes, Numbers numbers)
    : builder(builder), emission(emission), sizes(sizes), numbers(numbers) {}

Value *ElementwiseEmitter::splat(IRBuilderBase &builder, Value *value, unsigned lanes) {
  if (lanes == 1 || value->getType()->isVectorTy())
    return value;
  return builder.CreateVectorSplat(lanes, value);
}

static mlir::Type elementOf(mlir::Value value) {
  return cast<model::NamedTensorType>(value.getType()).getElement();
}

/// The type of `like`, with the scalar type `element`.
static Type *shaped(Value *like, Type *element) {
  auto *vector = dyn_cast<VectorType>(like->getType());
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

Value *ElementwiseEmitter::emit(Operation *op, ArrayRef<Value *> given) {
  unsigned lanes = 1;
  for (Value *value : given)
    if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
      lanes = vector->getNumElements();
  SmallVector<Value *> operands;
  for (Value *value : given)
    operands.push_back(splat(builder, value, lanes));

  Type *type = numbers.type(builder.getContext(), elementOf(op->getResult(0)));
  return TypeSwitch<Operation *, Value *>(op)
      .Case([&](model::ConstantOp constant) -> Value * {
        if (auto number = dyn_cast<mlir::FloatAttr>(constant.getValue()))
          return ConstantFP::get(type, number.getValueAsDouble());
        int64_t whole = cast<mlir::IntegerAttr>(constant.getValue()).getValue().getSExtValue();
        return ConstantInt::getSigned(type, type->isIntegerTy(1) ? whole : model::wrapped(whole));
      })
      .Case([&](model::SizeOp extent) {
        return builder.CreateTrunc(emission.size(builder, extent.getSize().getValue(), sizes),
                                   type);
      })
      .Case<model::BroadcastOp, model::ArrangeOp>([&](auto) { return operands[0]; })
      .Case(
          [&](model::CompareOp compare) { return emitCompare(compare, operands[0], operands[1]); })
      .Case([&](model::WhereOp) {
        return builder.CreateSelect(operands[0], operands[1], operands[2]);
      })
      .Case([&](model::ToFloatOp) -> Value * {
        Type *to = shaped(operands[0], type);
        bool isSwitch = operands[0]->getType()->isIntOrIntVectorTy(1);
        return isSwitch ? builder.CreateUIToFP(operands[0], to)
                        : builder.CreateSIToFP(operands[0], to);
      })
      .Default([&](Operation *) {
        bool isFloat = elementOf(op->getOperand(0)).isF32();
        return isFloat ? emitFloat(op, operands) : emitWhole(op, operands);
      });
}

Value *ElementwiseEmitter::emitCompare(model::CompareOp op, Value *a, Value *b) {
  using P = CmpInst::Predicate;
  constexpr P forFloat[] = {P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT,
                            P::FCMP_OGE, P::FCMP_OEQ, P::FCMP_UNE};
  constexpr P forWhole[] = {P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT,
                            P::ICMP_SGE, P::ICMP_EQ,  P::ICMP_NE};
  constexpr P forSwitch[] = {P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT,
                             P::ICMP_UGE, P::ICMP_EQ,  P::ICMP_NE};
  mlir::Type element = elementOf(op.getLhs());
  auto which = static_cast<unsigned>(op.getPredicate());
  if (element.isF32())
    return builder.CreateFCmp(forFloat[which], a, b);
  return builder.CreateICmp(element.isInteger(1) ? forSwitch[which] : forWhole[which], a, b);
}

/// The whole number that a pow's exponent is, if it is a constant of moderate size.
static std::optional<int64_t> wholeExponent(model::PowOp op) {
  auto constant = op.getRhs().getDefiningOp<model::ConstantOp>();
  if (!constant)
    return std::nullopt;
  double value = cast<mlir::FloatAttr>(constant.getValue()).getValueAsDouble();
  if (value != std::trunc(value) || std::abs(value) > 64)
    return std::nullopt;
  return int64_t(value);
}

/// A product that a reduction may contract into a fused multiply-add. No other op may: elsewhere,
/// or in another kernel that recomputes it, the product is rounded (docs/decisions/047).
static Value *addable(Value *product) {
  if (auto *instruction = dyn_cast<BinaryOperator>(product))
    instruction->setHasAllowContract(true);
  return product;
}

Value *ElementwiseEmitter::emitFloat(Operation *op, ArrayRef<Value *> v) {
  IRBuilderBase &b = builder;
  return TypeSwitch<Operation *, Value *>(op)
      .Case([&](model::NegOp) { return b.CreateFNeg(v[0]); })
      .Case([&](model::FloatFunctionOp applied) {
        llvm::StringRef name = applied.function().name;
        return (numbers.wide ? math::function(name).wide : emission.codeOf(name))(b, v[0]);
      })
      .Case([&](model::FloorOp) {
        Type *to = shaped(v[0], numbers.type(b.getContext(), elementOf(op->getResult(0))));
        Value *floor = b.CreateUnaryIntrinsic(Intrinsic::floor, v[0]);
        return b.CreateIntrinsic(Intrinsic::fptosi_sat, {to, floor->getType()}, {floor});
      })
      .Case([&](model::AddOp) { return b.CreateFAdd(v[0], v[1]); })
      .Case([&](model::SubOp) { return b.CreateFSub(v[0], v[1]); })
      .Case([&](model::MulOp) { return addable(b.CreateFMul(v[0], v[1])); })
      .Case([&](model::DivOp) { return b.CreateFDiv(v[0], v[1]); })
      .Case([&](model::ModOp) {
        // fmod has the sign of a; a % b that of b.
        Value *rest = math::remainder(b, v[0], v[1]), *zero = math::constant(v[0], 0);
        Value *other = b.CreateXor(b.CreateFCmpOLT(rest, zero), b.CreateFCmpOLT(v[1], zero));
        Value *wrong = b.CreateAnd(other, b.CreateFCmpONE(rest, zero));
        return b.CreateSelect(wrong, b.CreateFAdd(rest, v[1]), rest);
      })
      .Case([&](model::PowOp pow) {
        if (std::optional<int64_t> n = wholeExponent(pow))
          return *n > 1 ? addable(math::power(b, v[0], *n)) : math::power(b, v[0], *n);
        return (numbers.wide ? math::wide::pow : math::pow)(b, v[0], v[1]);
      })
      .Case([&](model::MaxOp) { return math::maximum(b, v[0], v[1]); })
      .Case([&](model::MinOp) { return math::minimum(b, v[0], v[1]); })
      .Default([](Operation *unknown) -> Value * {
        reportFatalInternalError("no code for " + unknown->getName().getStringRef() + " on floats");
      });
}

// i32 quotients are exact in f64: two of them differ by more than a rounding. A vector division of
// integers would be one division a lane.
struct FloorDivision {
  Value *byZero, *x, *y, *quotient; ///< an i1, and f64s; y is 1 where the divisor is 0
};
static FloorDivision floorDivision(IRBuilderBase &b, Value *x, Value *y) {
  Type *whole = x->getType(), *wide = shaped(x, b.getDoubleTy());
  Value *byZero = b.CreateICmpEQ(y, ConstantInt::get(whole, 0));
  y = b.CreateSelect(byZero, ConstantInt::get(whole, 1), y);
  FloorDivision division{byZero, b.CreateSIToFP(x, wide), b.CreateSIToFP(y, wide), nullptr};
  division.quotient =
      b.CreateUnaryIntrinsic(Intrinsic::floor, b.CreateFDiv(division.x, division.y));
  return division;
}

static Value *floorQuotient(IRBuilderBase &b, Value *x, Value *y) {
  FloorDivision division = floorDivision(b, x, y);
  Type *whole = x->getType();
  Value *quotient = b.CreateIntrinsic(Intrinsic::fptosi_sat, {whole, division.quotient->getType()},
                                      {division.quotient});
  return b.CreateSelect(division.byZero, ConstantInt::get(whole, 0), quotient);
}

static Value *floorRest(IRBuilderBase &b, Value *x, Value *y) {
  FloorDivision division = floorDivision(b, x, y);
  Value *rest = b.CreateFSub(division.x, b.CreateFMul(division.quotient, division.y));
  return b.CreateFPToSI(rest, x->getType());
}

Value *ElementwiseEmitter::emitWhole(Operation *op, ArrayRef<Value *> v) {
  IRBuilderBase &b = builder;
  Type *type = shaped(v[0], numbers.type(b.getContext(), elementOf(op->getResult(0))));
  return TypeSwitch<Operation *, Value *>(op)
      .Case([&](model::NegOp) { return b.CreateNeg(v[0]); })
      .Case([&](model::NotOp) { return b.CreateNot(v[0]); })
      .Case([&](model::ToIntOp) { return b.CreateZExt(v[0], type); })
      .Case([&](model::ClampOp clamp) {
        Value *extent =
            b.CreateTrunc(emission.extent(b, clamp.getDim(), sizes), type->getScalarType());
        Value *last = b.CreateSub(extent, ConstantInt::get(extent->getType(), 1));
        if (auto *vector = dyn_cast<FixedVectorType>(type))
          last = splat(b, last, vector->getNumElements());
        Value *low = b.CreateBinaryIntrinsic(Intrinsic::smax, v[0], ConstantInt::get(type, 0));
        return b.CreateBinaryIntrinsic(Intrinsic::smin, low, last);
      })
      .Case([&](model::AddOp) { return b.CreateAdd(v[0], v[1]); })
      .Case([&](model::SubOp) { return b.CreateSub(v[0], v[1]); })
      .Case([&](model::MulOp) { return b.CreateMul(v[0], v[1]); })
      .Case([&](model::FloorDivOp) { return floorQuotient(b, v[0], v[1]); })
      .Case([&](model::ModOp) { return floorRest(b, v[0], v[1]); })
      .Case([&](model::MaxOp) { return b.CreateBinaryIntrinsic(Intrinsic::smax, v[0], v[1]); })
      .Case([&](model::MinOp) { return b.CreateBinaryIntrinsic(Intrinsic::smin, v[0], v[1]); })
      .Case([&](model::AndOp) { return b.CreateAnd(v[0], v[1]); })
      .Case([&](model::OrOp) { return b.CreateOr(v[0], v[1]); })
      .Default([](Operation *unknown) -> Value * {
        reportFatalInternalError("no code for " + unknown->getName().getStringRef() +
                                 " on whole numbers");
      });
}

} // namespace weft::emit
