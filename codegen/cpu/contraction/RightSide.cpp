// Where the panels of a right side lie, and how those in groups are widened.
#include "codegen/cpu/contraction/RightSide.h"

#include "codegen/cpu/tiles/GroupedPanel.h"
#include "codegen/emit/Loops.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

namespace groups = model::groups;

RightSide::RightSide(Frame frame, kernel::FusedOp op, const Term &term, ContractionAttr schedule)
    : frame(frame), schedule(schedule), buffer(operandNumber(term.right())) {
  model::NamedTensorType type = model::typeOf(term.right());
  mlir::Attribute layout = op.getLayoutsAttr()[buffer];
  format = kernel::weightFormatOf(layout);
  paired = kernel::isPaired(layout);
  element =
      format ? Stored(frame.builder.getInt8Ty()) : Stored(frame.builder.getContext(), type, layout);
}

int64_t RightSide::scratchBytes() const {
  return format ? schedule.getTile().width() * schedule.getK() * int64_t(sizeof(float)) : 0;
}

int64_t RightSide::unit() const {
  int64_t together = format ? groups::length : paired ? kernel::rowsOfPair : 1;
  return std::max(schedule.getUnroll(), together);
}

void RightSide::enterTask(Value *panel, Value *allRows, const Tiling &rowTiling, Value *scratch) {
  IRBuilderBase &b = frame.builder;
  stride = format ? b.CreateNSWMul(ceilDiv(b, allRows, b.getInt64(groups::length)),
                                   b.getInt64(groups::bytes(*format, panelWidth)))
                  : b.CreateNSWMul(paired ? roundUp(b, allRows, kernel::rowsOfPair) : allRows,
                                   b.getInt64(panelWidth));
  base = b.CreateInBoundsGEP(element.memory, frame.buffer(buffer), b.CreateNSWMul(panel, stride));
  several = b.CreateICmpSGT(rowTiling.tiles(), b.getInt64(1));
  copy = scratch;
}

void RightSide::enterBlock(Value *firstK, Value *countK) {
  first = firstK;
  count = countK;
}

void RightSide::enterPanels(Value *panel, Value *panels) {
  IRBuilderBase &b = frame.builder;
  Value *within = format ? b.CreateNSWMul(b.CreateUDiv(first, b.getInt64(groups::length)),
                                          b.getInt64(groups::bytes(*format, panelWidth)))
                         : b.CreateNSWMul(first, b.getInt64(panelWidth));
  here = b.CreateInBoundsGEP(element.memory, base,
                             b.CreateNSWAdd(b.CreateNSWMul(panel, stride), within));
  if (format)
    when(b, several, [&] { widen(panels); });
}

/// copy[panel][row][column] = number * scale. What fills up the last group lies where the next
/// panel will, or behind all: there is room for whole groups.
void RightSide::widen(Value *panels) {
  IRBuilderBase &b = frame.builder;
  Type *number = b.getFloatTy();
  const unsigned lanes = frame.emission.lanes;
  GroupedPanel reader(b, lanes, *format);
  loop(b, panels, [&](Value *p) {
    Value *panel = b.CreateInBoundsGEP(element.memory, here, b.CreateNSWMul(p, stride));
    loop(b, ceilDiv(b, count, b.getInt64(groups::length)), [&](Value *g) {
      Value *group = reader.group(panel, g);
      Value *row =
          b.CreateNSWAdd(b.CreateNSWMul(p, count), b.CreateNSWMul(g, b.getInt64(groups::length)));
      Values scales;
      for (unsigned column = 0; column < panelWidth; column += lanes)
        scales.push_back(reader.scales(group, column));
      loop(b, b.getInt64(groups::length / GroupedPanel::together), [&](Value *eight) {
        Value *from =
            b.CreateNSWAdd(row, b.CreateNSWMul(eight, b.getInt64(GroupedPanel::together)));
        for (unsigned column = 0; column < panelWidth; column += lanes)
          for (auto [i, numbers] : enumerate(reader.eightRows(group, eight, column))) {
            Value *place =
                b.CreateNSWMul(b.CreateNSWAdd(from, b.getInt64(i)), b.getInt64(panelWidth));
            place = b.CreateNSWAdd(place, b.getInt64(column));
            b.CreateAlignedStore(b.CreateFMul(numbers, scales[column / lanes]),
                                 b.CreateInBoundsGEP(number, copy, place), Align(4));
          }
      });
    });
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
      b, several,
      [&] {
        return read(left.core(/*paired=*/false), copy,
                    b.CreateNSWMul(count, b.getInt64(panelWidth)));
      },
      [&] { return read(left.core(/*paired=*/false, format), here, stride); });
}

} // namespace weft::cpu
