// Ops that move elements: nothing moves, the operand is evaluated at other positions.
#include "codegen/c/Values.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using mlir::Operation;

namespace weft::c {

Position Values::derived(StringRef type, const std::string &text, unsigned level) {
  std::string key = "=" + text, name = blocks.known(level, key);
  if (name.empty()) {
    name = fresh("p");
    blocks.write(level, "const " + type + " " + name + " = " + text + ";");
    blocks.remember(level, key, name);
  }
  return {name, level};
}

std::optional<Frame> Values::viewed(Operation *op, const Frame &frame) {
  if (isa<model::BroadcastOp, model::ArrangeOp>(op))
    return frame;
  if (auto pick = dyn_cast<model::PickOp>(op))
    return frame.with(pick.getDimAttr(), {std::to_string(pick.getPosition()), 0});
  if (auto part = dyn_cast<model::PartOp>(op)) {
    const Position &at = frame.at(part.getPartAttr());
    std::string text = at.text + " + " + names.size(part.getOffset().getValue());
    return frame.with(part.getDimAttr(), derived("int64_t", text, at.level));
  }
  if (auto gather = dyn_cast<model::GatherOp>(op)) {
    mlir::Value index = gather.getIndex();
    return frame.with(gather.getDimAttr(),
                      {"(int64_t)" + value(index, frame), levelOf(index, frame)});
  }
  if (auto regroup = dyn_cast<model::RegroupOp>(op))
    return regrouped(regroup, frame);
  return std::nullopt;
}

// The positions along `to` make one linear index, row-major, which is split again along `from`.
Frame Values::regrouped(model::RegroupOp op, const Frame &frame) {
  ArrayRef<DimAttr> from = op.getFrom(), to = op.getTo();
  Position flat = frame.at(to[0]);
  for (DimAttr dim : to.drop_front()) {
    const Position &at = frame.at(dim);
    flat = derived("int64_t", flat.text + " * " + names.extent(dim) + " + " + at.text,
                   std::max(flat.level, at.level));
  }
  Frame result = frame;
  for (size_t i = from.size(); i-- > 1;) {
    std::string extent = names.extent(from[i]);
    result = result.with(from[i], derived("int64_t", flat.text + " % " + extent, flat.level));
    flat = derived("int64_t", flat.text + " / " + extent, flat.level);
  }
  return result.with(from[0], flat);
}

Frame Values::inPart(const Frame &frame, DimAttr dim, DimAttr part, const Size &offset) {
  const Position &at = frame.at(dim);
  Position inside = derived("int64_t", at.text + " - " + names.size(offset), at.level);
  Frame result = frame.with(part, inside);
  std::string here = formatv("{0} >= 0 && {0} < {1}", inside.text, names.extent(part));
  if (!frame.mask.text.empty())
    here = frame.mask.text + " && " + here;
  result.mask = derived("bool", here, std::max(at.level, frame.mask.level));
  return result;
}

std::string Values::joined(Operation *op, const Frame &frame) {
  std::string text;
  if (auto stack = dyn_cast<model::StackOp>(op)) {
    for (auto [i, input] : enumerate(stack.getInputs().drop_back()))
      text +=
          formatv("{0} == {1} ? {2} : ", frame.at(stack.getDimAttr()).text, i, value(input, frame));
    return text + value(stack.getInputs().back(), frame);
  }
  if (auto concat = dyn_cast<model::ConcatOp>(op)) {
    Size offset;
    ArrayRef<DimAttr> parts = concat.getParts();
    for (auto [i, input] : enumerate(concat.getInputs())) {
      Frame inside = inPart(frame, concat.getDimAttr(), parts[i], offset);
      std::string here = value(input, inside);
      text += i + 1 == parts.size() ? here : inside.mask.text + " ? " + here + " : ";
      offset = offset + Size::dim(parts[i].getValue());
    }
    return text;
  }
  auto insert = cast<model::InsertPartOp>(op);
  Frame inside =
      inPart(frame, insert.getDimAttr(), insert.getPartAttr(), insert.getOffset().getValue());
  std::string row = value(insert.getInput(), inside), old = value(insert.getInto(), frame);
  return inside.mask.text + " ? " + row + " : " + old;
}

} // namespace weft::c
