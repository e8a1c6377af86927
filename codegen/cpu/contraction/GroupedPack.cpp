// Scales and numbers of a group, 16 columns side by side.
#include "codegen/cpu/contraction/GroupedPack.h"

#include "codegen/cpu/contraction/GroupRounding.h"
#include "codegen/emit/Loops.h"
#include "ir/cpu/Tile.h"
#include "ir/model/weights/WeightGroups.h"

using namespace llvm;

namespace weft::cpu {

using namespace weft::emit;
namespace groups = model::groups;

namespace {

class GroupWriter {
public:
  GroupWriter(IRBuilderBase &builder, model::WeightFormat format, Value *from, Value *to)
      : b(builder), format(format), from(from), to(to),
        floats(FixedVectorType::get(b.getFloatTy(), panelWidth)),
        words(FixedVectorType::get(b.getInt32Ty(), panelWidth)) {}

  void write() {
    GroupRounding rounding(b, format, most());
    auto numbers = [&](Value *at) { return rounding.numbers(row(at)); };
    store(rounding.scale(), b.getInt64(0));
    constexpr int64_t together = groups::perWord;
    Value *begin = b.getInt64(panelWidth * groups::scaleBytes);
    if (format == model::WeightFormat::int8)
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

  Value *row(Value *number) {
    Value *at =
        b.CreateInBoundsGEP(b.getFloatTy(), from, b.CreateNSWMul(number, b.getInt64(panelWidth)));
    return b.CreateAlignedLoad(floats, at, Align(4));
  }
  void store(Value *value, Value *bytes) {
    b.CreateAlignedStore(value, b.CreateInBoundsGEP(b.getInt8Ty(), to, bytes), Align(1));
  }

  /// The bits of the largest of each column.
  Value *most() {
    return carryingLoop(b, b.getInt64(0), b.getInt64(groups::length), b.getInt64(1), {all32(0)},
                        [&](Value *number, ArrayRef<Value *> carried) {
                          Value *bits = b.CreateBitCast(row(number), words);
                          Value *isMore = b.CreateICmpUGT(GroupRounding::magnitude(b, bits),
                                                          GroupRounding::magnitude(b, carried[0]));
                          return Values{b.CreateSelect(isMore, bits, carried[0])};
                        })[0];
  }

  IRBuilderBase &b;
  model::WeightFormat format;
  Value *from, *to;
  FixedVectorType *floats, *words;
};

} // namespace

void packGroup(IRBuilderBase &builder, model::WeightFormat format, Value *from, Value *to) {
  GroupWriter(builder, format, from, to).write();
}

} // namespace weft::cpu
