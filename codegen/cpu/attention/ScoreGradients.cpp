// Gradients of the scores of a query and a block of keys.
#include "codegen/cpu/attention/ScoreGradients.h"

#include "codegen/cpu/tiles/Halves.h"
#include "codegen/cpu/tiles/MatrixView.h"
#include "codegen/emit/math/VectorMath.h"

#include <numbers>

using namespace llvm;

namespace weft::cpu {

static model::NamedTensorType typeOfResult(kernel::FusedOp op, unsigned result) {
  return model::typeOf(op.getResult(result - op.getNumOperands()));
}

BiasGradient::BiasGradient(Frame frame, kernel::FusedOp op, unsigned result,
                           const AttentionForm &form)
    : frame(frame), access(frame, cast<kernel::LayoutAttr>(op.getLayoutsAttr()[result]),
                           typeOfResult(op, result), result, form.scores()) {}

void BiasGradient::takeArea(ScratchAreas &areas, int64_t rows, int64_t keys) {
  mostRows = rows;
  tables = areas.bytes(frame.builder.getInt64(access.tableBytes(rows, keys)));
}

void BiasGradient::enterBlock(const TaskRange &block) {
  access.enterTask(block, tables, mostRows);
}

void BiasGradient::add(Value *value, Value *row) const {
  Value *place = access.row(row);
  access.storeShared(frame.builder.CreateFAdd(access.loadShared(place), value), place);
}

void BiasGradient::add(Value *values, Value *row, Value *key, Value *exist) const {
  Value *place = access.row(row);
  Value *before = access.load(place, key, panelWidth, exist);
  access.store(frame.builder.CreateFAdd(before, values), place, key, panelWidth, exist);
}

void clearResult(Frame frame, kernel::FusedOp op, unsigned result, const DimList &shared,
                 const DimList &columns, Value *task) {
  DimList others, inner;
  for (DimAttr dim : typeOfResult(op, result).getDims())
    if (is_contained(columns, dim))
      inner.push_back(dim);
    else if (!is_contained(shared, dim))
      others.push_back(dim);
  MatrixView view(frame, op, result, {shared, others, inner});
  view.enter(task);
  view.clear();
}

Value *ScoreGradients::at(Value *base, Value *index) const {
  return b.CreateInBoundsGEP(b.getFloatTy(), base, index);
}

/// Lines of words are not below the products that are still read.
void ScoreGradients::store(Value *i, Value *key, Value *weights, Value *slopes) const {
  Value *line = at(weightGradients, b.CreateNSWMul(i, b.getInt64(keyBlock)));
  if (!pairs) {
    b.CreateAlignedStore(weights, at(scores.line(i), key), Align(4));
    b.CreateAlignedStore(slopes, at(line, key), Align(4));
    return;
  }
  Value *halves = halvesOfProducts(b, slopes);
  storeWord(i, key, halvesOfProducts(b, weights), scores.area());
  storeWord(i, key, halves, pairs);
  b.CreateAlignedStore(halves, b.CreateInBoundsGEP(b.getInt16Ty(), line, key), Align(2));
}

void ScoreGradients::storeWord(Value *i, Value *key, Value *halves, Value *words) const {
  Type *word = b.getInt32Ty(), *lineType = FixedVectorType::get(word, panelWidth);
  Value *number = b.CreateLShr(i, 1), *isUpper = b.CreateTrunc(i, b.getInt1Ty());
  Value *place = b.CreateInBoundsGEP(
      word, words, b.CreateNSWAdd(b.CreateNSWMul(number, b.getInt64(keyBlock)), key));
  auto chosen = [&](uint32_t upper, uint32_t lower) {
    return b.CreateVectorSplat(panelWidth,
                               b.CreateSelect(isUpper, b.getInt32(upper), b.getInt32(lower)));
  };
  Value *before = b.CreateAlignedLoad(lineType, place, Align(4));
  Value *kept = b.CreateAnd(before, chosen(0xffff, 0));
  Value *added = b.CreateShl(b.CreateZExt(halves, lineType), chosen(16, 0));
  b.CreateAlignedStore(b.CreateOr(kept, added), place, Align(4));
}

void ScoreGradients::emit(Value *i, const ScoreTile::Part &part) const {
  Type *lineType = FixedVectorType::get(b.getFloatTy(), panelWidth);
  Value *zero = Constant::getNullValue(lineType);
  Value *row = b.CreateNSWAdd(part.firstRow, i);
  Value *weights = scores.line(i);
  Value *slopes = at(weightGradients, b.CreateNSWMul(i, b.getInt64(keyBlock)));
  auto line = [&](Value *place) { return b.CreateAlignedLoad(lineType, place, Align(4)); };
  auto splat = [&](Value *list) {
    return b.CreateVectorSplat(panelWidth, b.CreateLoad(b.getFloatTy(), at(list, row)));
  };
  Value *shift = splat(shifts), *rest = splat(rests), *product = splat(products);
  Value *ln2 = ConstantFP::get(lineType, std::numbers::ln2);
  Values sums = scores.pass(
      part, i, Values(bias.size(), zero), [&](Value *key, Value *kept, ArrayRef<Value *> carried) {
        ScoreTile::Score score = scores.score(line(at(weights, key)), key);
        Value *below = b.CreateFSub(score.value, shift);
        Value *weight = math::exp2(b, b.CreateFSub(below, rest));
        if (kept)
          weight = b.CreateSelect(kept, weight, zero);
        Value *gradient = line(at(slopes, key)), *counted = weight;
        if (scores.drops()) {
          Values both = scores.dropped({gradient, weight}, key);
          gradient = both[0];
          counted = both[1];
        }
        Value *above = b.CreateFSub(gradient, product);
        Value *slope = b.CreateFMul(weight, b.CreateFMul(above, ln2));
        if (score.slope)
          slope = b.CreateFMul(slope, score.slope);
        store(i, key, counted, slope);
        Value *ofBias = b.CreateFMul(weight, above);
        if (score.slope && scores.capsBias())
          ofBias = b.CreateFMul(ofBias, score.slope);
        Values next(carried);
        for (auto [each, sum] : zip_equal(bias, next)) {
          if (each.perRow())
            sum = b.CreateFAdd(sum, ofBias);
          else
            each.add(ofBias, row, scores.column(key), kept ? scores.exists(key) : nullptr);
        }
        return next;
      });
  for (auto [each, sum] : zip_equal(bias, sums))
    if (each.perRow())
      each.add(math::sumOfLanes(b, sum), row);
}

} // namespace weft::cpu
