// Scales and numbers of a group, 16 columns side by side.
#include "codegen/cpu/contraction/GroupedPack.h"

#include "codegen/emit/Loops.h"
#include "ir/cpu/Tile.h"
#include "ir/model/weights/WeightGroups.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::cpu {

using namespace weft::emit;
namespace groups = model::groups;

namespace {

class GroupWriter {
public:
  GroupWriter(IRBuilderBase &builder, model::WeightFormat format, Value *from, Value *to)
      : b(builder), format(format), isByte(format == model::WeightFormat::int8), from(from), to(to),
        floats(FixedVectorType::get(b.getFloatTy(), panelWidth)),
        words(FixedVectorType::get(b.getInt32Ty(), panelWidth)) {}

  void write() {
    findScales();
    store(b.CreateTrunc(b.CreateLShr(b.CreateBitCast(scale, words), 16),
                        FixedVectorType::get(b.getInt16Ty(), panelWidth)),
          b.getInt64(0));
    constexpr int64_t together = groups::perWord;
    Value *begin = b.getInt64(panelWidth * groups::scaleBytes);
    if (isByte)
      loop(b, b.getInt64(groups::length), [&](Value *row) {
        Value *line = b.CreateNSWMul(row, b.getInt64(panelWidth));
        store(b.CreateTrunc(numbers(row), FixedVectorType::get(b.getInt8Ty(), panelWidth)),
              b.CreateNSWAdd(begin, line));
      });
    else
      loop(b, b.getInt64(groups::length / together), [&](Value *eight) {
        Value *first = b.CreateNSWMul(eight, b.getInt64(together)), *all = all32(0);
        for (int64_t i = 0; i < together; ++i) {
          Value *four = b.CreateAnd(numbers(b.CreateNSWAdd(first, b.getInt64(i))), all32(15));
          all = b.CreateOr(all, b.CreateShl(four, groups::bitsOf(format) * i));
        }
        Value *line = b.CreateNSWMul(eight, b.getInt64(panelWidth * groups::wordBytes));
        store(all, b.CreateNSWAdd(begin, line));
      });
  }

private:
  Constant *all32(uint32_t value) { return ConstantInt::get(words, value); }
  Constant *allFloat(double value) { return ConstantFP::get(floats, value); }

  Value *row(Value *number) {
    Value *at =
        b.CreateInBoundsGEP(b.getFloatTy(), from, b.CreateNSWMul(number, b.getInt64(panelWidth)));
    return b.CreateAlignedLoad(floats, at, Align(4));
  }
  void store(Value *value, Value *bytes) {
    b.CreateAlignedStore(value, b.CreateInBoundsGEP(b.getInt8Ty(), to, bytes), Align(1));
  }

  /// As groups::scaleOf, by whole numbers where a comparison of floats would lose a NaN: magnitudes
  /// are ordered as their bits are, infinity and NaN above all others.
  void findScales() {
    Value *most = carryingLoop(b, b.getInt64(0), b.getInt64(groups::length), b.getInt64(1),
                               {all32(0)}, [&](Value *number, ArrayRef<Value *> carried) {
                                 Value *bits = b.CreateBitCast(row(number), words);
                                 Value *isMore =
                                     b.CreateICmpUGT(magnitude(bits), magnitude(carried[0]));
                                 return Values{b.CreateSelect(isMore, bits, carried[0])};
                               })[0];
    Value *exact =
        b.CreateFDiv(b.CreateBitCast(magnitude(most), floats), allFloat(groups::mostOf(format)));
    Value *bits = b.CreateBitCast(exact, words);
    Value *isTiny = b.CreateICmpULT(bits, all32(0x01000000)); // 2^-125
    Value *up = b.CreateAnd(b.CreateAdd(bits, all32(0xffff)), all32(0xffff0000));
    if (!isByte) // the largest becomes -8
      up = b.CreateOr(up, b.CreateAnd(b.CreateNot(most), all32(0x80000000)));
    Value *isNumber = b.CreateICmpULT(magnitude(most), all32(0x7f800000));
    isZero = b.CreateOr(isTiny, b.CreateNot(isNumber));
    Value *known = b.CreateSelect(isTiny, all32(0), up);
    scale = b.CreateBitCast(b.CreateSelect(isNumber, known, all32(0x7fc00000)), floats);
  }
  Value *magnitude(Value *bits) { return b.CreateAnd(bits, all32(0x7fffffff)); }

  /// As groups::numberOf.
  Value *numbers(Value *at) {
    Value *whole = b.CreateUnaryIntrinsic(Intrinsic::roundeven, b.CreateFDiv(row(at), scale));
    Value *number = b.CreateFPToSI(b.CreateSelect(isZero, allFloat(0), whole), words);
    return isByte ? number : b.CreateBinaryIntrinsic(Intrinsic::smin, number, all32(7));
  }

  IRBuilderBase &b;
  model::WeightFormat format;
  bool isByte;
  Value *from, *to;
  FixedVectorType *floats, *words;
  Value *scale = nullptr, *isZero = nullptr; // of the numbers, where the scale is 0 or NaN
};

} // namespace

void packGroup(IRBuilderBase &builder, model::WeightFormat format, Value *from, Value *to) {
  GroupWriter(builder, format, from, to).write();
}

} // namespace weft::cpu
