// Where the panels of a right side lie, how those in groups are widened, and others packed.
#include "codegen/cpu/contraction/RightSide.h"

#include "codegen/cpu/tiles/Halves.h"
#include "codegen/cpu/tiles/ScaledPairs.h"
#include "codegen/emit/Loops.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

namespace groups = model::groups;

RightSide::RightSide(Frame frame, kernel::FusedOp op, const Term &term, ContractionAttr schedule,
                     TermProducts products)
    : frame(frame), schedule(schedule), buffer(operandNumber(term.right())),
      scaled(products.scaled) {
  model::NamedTensorType type = model::typeOf(term.right());
  mlir::Attribute layout = kernel::readAs(op, buffer);
  format = kernel::weightFormatOf(layout);
  paired = kernel::isPaired(layout);
  element =
      format ? Stored(frame.builder.getInt8Ty()) : Stored(frame.builder.getContext(), type, layout);
  if (kernel::PanelsAttr panels = kernel::packedWithin(op, buffer))
    packing.emplace(frame, cast<kernel::LayoutAttr>(op.getLayoutsAttr()[buffer]), type, buffer,
                    panels);
}

/// Of a block of packed panels.
int64_t RightSide::copyBytes() const {
  return schedule.getColumns() * schedule.getK() * int64_t(sizeof(float));
}

int64_t RightSide::scratchBytes() const {
  if (packing)
    return copyBytes() + packing->tableBytes(schedule.getK(), schedule.getColumns());
  return format ? schedule.getTile().width() * schedule.getK() * int64_t(sizeof(float)) : 0;
}

int64_t RightSide::unit() const {
  return format ? groups::length : paired ? kernel::rowsOfPair : 1;
}

void RightSide::enterTask(const TaskRange &taskRange, Value *first, Value *panels, Value *allRows,
                          Value *areFew, Value *scratch) {
  IRBuilderBase &b = frame.builder;
  range = taskRange;
  copy = scratch;
  if (packing)
    return;
  Value *panel = b.CreateNSWAdd(b.CreateNSWMul(range.batch, panels), first);
  stride = format ? b.CreateNSWMul(ceilDiv(b, allRows, b.getInt64(groups::length)),
                                   b.getInt64(groups::bytes(*format, panelWidth)))
                  : b.CreateNSWMul(paired ? roundUp(b, allRows, kernel::rowsOfPair) : allRows,
                                   b.getInt64(panelWidth));
  base = b.CreateInBoundsGEP(element.memory, frame.buffer(buffer), b.CreateNSWMul(panel, stride));
  isFew = areFew;
}

void RightSide::enterBlock(Value *firstK, Value *countK) {
  first = firstK;
  count = countK;
  if (packing)
    pack();
}

/// copy[panel][row][column] of the block alone.
void RightSide::pack() {
  IRBuilderBase &b = frame.builder;
  const int64_t columns = schedule.getColumns(), rows = schedule.getK();
  packing->enter({range.batch, first, count, range.firstColumn, range.columns},
                 b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy, copyBytes()), rows, columns);
  stride = b.CreateNSWMul(count, b.getInt64(panelWidth));
  loop(b, ceilDiv(b, range.columns, b.getInt64(panelWidth)), [&](Value *p) {
    Value *to = b.CreateInBoundsGEP(element.memory, copy, b.CreateNSWMul(p, stride));
    Value *column = b.CreateNSWAdd(range.firstColumn, b.CreateNSWMul(p, b.getInt64(panelWidth)));
    packing->emitRows({to, first, element}, column, first, count);
  });
}

void RightSide::enterPanels(Value *panel, Value *panels) {
  IRBuilderBase &b = frame.builder;
  if (packing) {
    here = b.CreateInBoundsGEP(element.memory, copy, b.CreateNSWMul(panel, stride));
    return;
  }
  Value *within = format ? b.CreateNSWMul(b.CreateUDiv(first, b.getInt64(groups::length)),
                                          b.getInt64(groups::bytes(*format, panelWidth)))
                         : b.CreateNSWMul(first, b.getInt64(panelWidth));
  here = b.CreateInBoundsGEP(element.memory, base,
                             b.CreateNSWAdd(b.CreateNSWMul(panel, stride), within));
  if (format)
    when(b, b.CreateNot(isFew), [&] { widen(panels); });
}

/// Bytes from a panel that was widened to the next.
Value *RightSide::widenedStride() const {
  IRBuilderBase &b = frame.builder;
  if (!scaled)
    return b.CreateNSWMul(count, b.getInt64(panelWidth * int64_t(sizeof(float))));
  return b.CreateNSWMul(ceilDiv(b, count, b.getInt64(groups::length)),
                        b.getInt64(ScaledPairs::groupBytes));
}

void RightSide::widen(Value *panels) {
  IRBuilderBase &b = frame.builder;
  GroupedPanel reader(b, frame.emission.lanes, *format);
  constexpr int64_t floats = groups::length * panelWidth * int64_t(sizeof(float));
  static_assert(ScaledPairs::groupBytes <= floats, "there is room for either");
  const int64_t bytes = scaled ? ScaledPairs::groupBytes : floats;
  loop(b, panels, [&](Value *p) {
    Value *panel = b.CreateInBoundsGEP(element.memory, here, b.CreateNSWMul(p, stride));
    Value *widened = b.CreateInBoundsGEP(b.getInt8Ty(), copy, b.CreateNSWMul(p, widenedStride()));
    loop(b, ceilDiv(b, count, b.getInt64(groups::length)), [&](Value *g) {
      Value *to = b.CreateInBoundsGEP(b.getInt8Ty(), widened, b.CreateNSWMul(g, b.getInt64(bytes)));
      Value *group = reader.group(panel, g);
      scaled ? widenToPairs(reader, group, to) : widenToFloats(reader, group, to);
    });
  });
}

/// [row][column] = number * scale. What fills up the last group lies where the next panel will, or
/// behind all: there is room for whole groups.
void RightSide::widenToFloats(GroupedPanel &reader, Value *group, Value *to) {
  IRBuilderBase &b = frame.builder;
  const unsigned lanes = frame.emission.lanes;
  Values scales;
  for (unsigned column = 0; column < panelWidth; column += lanes)
    scales.push_back(reader.scales(group, column));
  loop(b, b.getInt64(groups::length / GroupedPanel::together), [&](Value *eight) {
    Value *from = b.CreateNSWMul(eight, b.getInt64(GroupedPanel::together));
    for (unsigned column = 0; column < panelWidth; column += lanes)
      for (auto [i, numbers] : enumerate(reader.eightRows(group, eight, column))) {
        Value *place = b.CreateNSWMul(b.CreateNSWAdd(from, b.getInt64(i)), b.getInt64(panelWidth));
        place = b.CreateNSWAdd(place, b.getInt64(column));
        b.CreateAlignedStore(b.CreateFMul(numbers, scales[column / lanes]),
                             b.CreateInBoundsGEP(b.getFloatTy(), to, place), Align(4));
      }
  });
}

/// As ScaledPairs.h has them.
void RightSide::widenToPairs(GroupedPanel &reader, Value *group, Value *to) {
  IRBuilderBase &b = frame.builder;
  constexpr int64_t pairs = GroupedPanel::together / kernel::rowsOfPair;
  auto line = [&](Value *number) {
    return b.CreateInBoundsGEP(b.getInt8Ty(), to,
                               b.CreateNSWMul(number, b.getInt64(ScaledPairs::lineBytes)));
  };
  b.CreateAlignedStore(reader.scales(group, 0), to, Align(4));
  loop(b, b.getInt64(groups::length / GroupedPanel::together), [&](Value *eight) {
    auto rows = reader.eightRows(group, eight, 0);
    Value *first = b.CreateNSWAdd(b.CreateNSWMul(eight, b.getInt64(pairs)), b.getInt64(1));
    for (int64_t pair = 0; pair < pairs; ++pair) {
      b.CreateAlignedStore(pairOfWholeNumbers(b, rows[2 * pair], rows[2 * pair + 1]),
                           line(b.CreateNSWAdd(first, b.getInt64(pair))), Align(4));
    }
  });
}

void RightSide::multiply(CoreCall call, const LeftSide &left) const {
  IRBuilderBase &b = frame.builder;
  auto read = [&](const Core &core, Value *from, Value *pitch) {
    call.right = from;
    call.rightStride = pitch;
    callCore(b, frame.emission, core, call);
    return Values();
  };
  if (!format) {
    read(left.core(paired), here, stride);
    return;
  }
  choose(
      b, isFew, [&] { return read(left.groupedCore(*format), here, stride); },
      [&] {
        return scaled ? read(left.scaledCore(), copy, widenedStride())
                      : read(left.core(/*paired=*/false), copy,
                             b.CreateNSWMul(count, b.getInt64(panelWidth)));
      });
}

} // namespace weft::cpu
