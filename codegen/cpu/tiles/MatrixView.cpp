// A kernel's operand or result as a matrix, copied into scratch and back.
#include "codegen/cpu/tiles/MatrixView.h"

#include "codegen/cpu/tiles/MicroKernel.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/Transpose.h"

using namespace llvm;

namespace weft::cpu {

MatrixView::MatrixView(Frame frame, kernel::FusedOp op, unsigned buffer, const Axes &axes)
    : frame(frame), buffer(buffer), rowDims(axes.rows), columnDims(axes.columns) {
  auto layout = cast<kernel::LayoutAttr>(op.getLayoutsAttr()[buffer]);
  unsigned operands = op.getNumOperands();
  mlir::Value value =
      buffer < operands ? op.getOperand(buffer) : mlir::Value(op.getResult(buffer - operands));
  stored = Stored(frame.builder.getContext(), model::typeOf(value), layout);
  batchWalk = walkOver(frame.emission.dims, layout, axes.batch);
  rowWalk = walkOver(frame.emission.dims, layout, axes.rows);
  columnWalk = walkOver(frame.emission.dims, layout, axes.columns);
}

void MatrixView::enter(Value *batch) {
  IRBuilderBase &b = frame.builder;
  base =
      stored.at(b, frame.buffer(buffer), frame.emission.offset(b, batchWalk, batch, frame.sizes));
}

bool MatrixView::isMatrix() const {
  return rowWalk.linear() && columnWalk.contiguous();
}

bool MatrixView::hasWholeGroups() const {
  std::optional<int64_t> count = frame.emission.dims.known(kernel::sizeOf(columnDims));
  return !stored.grouped ||
         (columnWalk.contiguous() && count && *count % model::grouped::length == 0);
}

Value *MatrixView::rowStride() const {
  return frame.emission.size(frame.builder, rowWalk.stride(), frame.sizes);
}

Value *MatrixView::columns() const {
  return frame.extent(columnDims);
}

Value *MatrixView::row(Value *row) const {
  IRBuilderBase &b = frame.builder;
  return stored.at(b, base, frame.emission.offset(b, rowWalk, row, frame.sizes));
}

Value *MatrixView::load(Value *at) const {
  return stored.load(frame.builder, row(at));
}

void MatrixView::store(Value *value, Value *at) const {
  stored.store(frame.builder, value, row(at));
}

Value *MatrixView::element(Value *row, Value *column) const {
  IRBuilderBase &b = frame.builder;
  return b.CreateInBoundsGEP(stored.memory, row,
                             frame.emission.offset(b, columnWalk, column, frame.sizes));
}

static FixedVectorType *panelVector(IRBuilderBase &b) {
  return FixedVectorType::get(b.getFloatTy(), panelWidth);
}

/// `column` in steps of 16; the mask is null where all lanes are columns.
void MatrixView::forEachVector(function_ref<void(Value *, Value *)> body) const {
  IRBuilderBase &b = frame.builder;
  Value *count = columns(), *width = b.getInt64(panelWidth);
  Value *rest = b.CreateURem(count, width);
  Value *whole = b.CreateNSWSub(count, rest);
  loop(b, b.getInt64(0), whole, width, [&](Value *column) { body(column, nullptr); });
  when(b, b.CreateICmpNE(rest, b.getInt64(0)),
       [&] { body(whole, firstLanes(b, rest, panelWidth)); });
}

void MatrixView::read(Part part, Value *factor) const {
  IRBuilderBase &b = frame.builder;
  Value *factors = b.CreateVectorSplat(panelWidth, factor);
  rowsInto(part, stored, [&](Value *value) {
    return b.CreateFMul(value, value->getType()->isVectorTy() ? factors : factor);
  });
}

void MatrixView::rowsInto(Part part, const Stored &from, function_ref<Value *(Value *)> as) const {
  IRBuilderBase &b = frame.builder;
  Type *number = from.loaded();
  const Align align(number->getScalarSizeInBits() / 8);
  loop(b, part.count, [&](Value *i) {
    Value *source = row(b.CreateNSWAdd(part.first, i));
    Value *to = b.CreateInBoundsGEP(number, part.copy, b.CreateNSWMul(i, part.stride));
    auto target = [&](Value *column) { return b.CreateInBoundsGEP(number, to, column); };
    if (from.grouped)
      return loop(b, b.getInt64(0), columns(), b.getInt64(model::grouped::length),
                  [&](Value *column) {
                    Value *scale = from.scaleOf(b, source, column);
                    for (int64_t part = 0; part < model::grouped::length; part += panelWidth) {
                      Value *here = b.CreateNSWAdd(column, b.getInt64(part));
                      Value *numbers = from.numbersOf(b, source, here, panelWidth);
                      Value *scales = b.CreateVectorSplat(panelWidth, scale);
                      b.CreateAlignedStore(as(b.CreateFMul(numbers, scales)), target(here), align);
                    }
                  });
    if (columnWalk.contiguousBy(panelWidth)) {
      forEachVector([&](Value *column, Value *mask) {
        Value *value = from.load(b, element(source, column), panelWidth, mask);
        b.CreateAlignedStore(as(value), target(column), align);
      });
      return;
    }
    auto *vector = FixedVectorType::get(number, panelWidth);
    loop(b, b.getInt64(0), part.stride, b.getInt64(panelWidth), [&](Value *column) {
      b.CreateAlignedStore(Constant::getNullValue(vector), target(column), align);
    });
    loop(b, columns(), [&](Value *column) {
      Value *value = from.load(b, element(source, column));
      b.CreateAlignedStore(as(value), target(column), align);
    });
  });
}

void MatrixView::readPanels(Value *first, Value *count, Value *copy, bool pairs) const {
  if (pairs)
    return readPairedPanels(first, count, copy);
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  Value *width = b.getInt64(panelWidth), *depth = columns();
  loop(b, b.getInt64(0), count, width, [&](Value *i) {
    Value *here = b.CreateNSWAdd(first, i);
    Value *to = b.CreateInBoundsGEP(number, copy, b.CreateNSWMul(i, depth));
    Value *rows = minimum(b, width, b.CreateNSWSub(count, i));
    if (columnWalk.contiguous())
      return transposePanel(here, rows, to);
    loop(b, width, [&](Value *lane) {
      Value *last = b.CreateNSWSub(rows, b.getInt64(1));
      Value *from = row(b.CreateNSWAdd(here, minimum(b, lane, last)));
      loop(b, depth, [&](Value *column) {
        Value *place = b.CreateNSWAdd(b.CreateNSWMul(column, width), lane);
        b.CreateAlignedStore(stored.load(b, element(from, column)),
                             b.CreateInBoundsGEP(number, to, place), Align(4));
      });
    });
  });
}

/// `count` rows of contiguous columns, transposed in squares of registers.
void MatrixView::transposePanel(Value *first, Value *count, Value *copy) const {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  const unsigned lanes = frame.emission.lanes;
  Value *depth = columns(), *side = b.getInt64(lanes);
  Value *whole = b.CreateNSWSub(depth, b.CreateURem(depth, side));
  for (unsigned lane = 0; lane < panelWidth; lane += lanes) {
    Values rows;
    for (unsigned j = 0; j < lanes; ++j) {
      Value *last = b.CreateNSWSub(count, b.getInt64(1));
      rows.push_back(row(b.CreateNSWAdd(first, minimum(b, b.getInt64(lane + j), last))));
    }
    auto place = [&](Value *column) {
      Value *line = b.CreateNSWMul(column, b.getInt64(panelWidth));
      return b.CreateInBoundsGEP(number, copy, b.CreateNSWAdd(line, b.getInt64(lane)));
    };
    loop(b, b.getInt64(0), whole, side, [&](Value *column) {
      Values square;
      for (Value *from : rows)
        square.push_back(stored.loadOf(b, from, column, lanes));
      for (auto [j, line] : enumerate(transposed(b, square)))
        b.CreateAlignedStore(line, place(b.CreateNSWAdd(column, b.getInt64(j))), Align(4));
    });
    if (stored.grouped) // whose rows are whole groups
      continue;
    loop(b, whole, depth, b.getInt64(1), [&](Value *column) {
      Value *to = place(column);
      for (auto [j, from] : enumerate(rows))
        b.CreateAlignedStore(stored.load(b, b.CreateInBoundsGEP(stored.memory, from, column)),
                             b.CreateConstInBoundsGEP1_64(number, to, j), Align(4));
    });
  }
}

void MatrixView::write(Part part, bool accumulate, function_ref<Value *(Value *)> factor) const {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  FixedVectorType *vector = panelVector(b);
  loop(b, part.count, [&](Value *i) {
    Value *to = row(b.CreateNSWAdd(part.first, i)), *scale = factor(i);
    Value *from = b.CreateInBoundsGEP(number, part.copy, b.CreateNSWMul(i, part.stride));
    if (columnWalk.contiguousBy(panelWidth)) {
      Value *scales = b.CreateVectorSplat(panelWidth, scale);
      forEachVector([&](Value *column, Value *mask) {
        Value *target = element(to, column);
        Value *value =
            b.CreateAlignedLoad(vector, b.CreateInBoundsGEP(number, from, column), Align(4));
        value = b.CreateFMul(value, scales);
        if (accumulate)
          value = b.CreateFAdd(value, stored.load(b, target, panelWidth, mask));
        stored.store(b, value, target, mask);
      });
      return;
    }
    loop(b, columns(), [&](Value *column) {
      Value *target = element(to, column);
      Value *value =
          b.CreateAlignedLoad(number, b.CreateInBoundsGEP(number, from, column), Align(4));
      value = b.CreateFMul(value, scale);
      if (accumulate)
        value = b.CreateFAdd(value, stored.load(b, target));
      stored.store(b, value, target);
    });
  });
}

void MatrixView::clear() const {
  IRBuilderBase &b = frame.builder;
  loop(b, frame.extent(rowDims), [&](Value *i) {
    Value *to = row(i);
    loop(b, columns(), [&](Value *column) {
      stored.store(b, ConstantFP::get(b.getFloatTy(), 0), element(to, column));
    });
  });
}

} // namespace weft::cpu
