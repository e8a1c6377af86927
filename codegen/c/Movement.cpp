// Ops that move elements: nothing moves, an operand is evaluated at other positions.
#include "codegen/c/Values.h"

using namespace llvm;
using weft::kernel::Position;

namespace weft::c {

Place Values::derived(StringRef type, const std::string &text, unsigned level) {
  return {variable("p", {"=" + text, level}, type, [&] { return text; }), level};
}

Place Values::place(const Position &position, const Frame &frame) {
  using Kind = Position::Kind;
  if (position.kind == Kind::along)
    return frame.at(position.dim);
  if (position.kind == Kind::element)
    return {"(int64_t)" + value(position.index, frame), homeOf(position.index, frame).level};
  std::string size = names.size(position.size);
  if (position.kind == Kind::number)
    return {size, 0};
  Place first = place(*position.first, frame), second;
  if (position.second)
    second = place(*position.second, frame);
  static const std::map<Kind, StringRef> formulas = {{Kind::plus, "{0} + {1}"},
                                                     {Kind::minus, "{0} - {1}"},
                                                     {Kind::joined, "{0} * {1} + {2}"},
                                                     {Kind::quotient, "{0} / {1}"},
                                                     {Kind::rest, "{0} % {1}"}};
  std::string text =
      formatv(false, formulas.at(position.kind).data(), first.text, size, second.text);
  return derived("int64_t", text, std::max(first.level, second.level));
}

Place Values::isWithin(const kernel::Range &range, const Frame &frame) {
  Place at = frame.at(range.dim);
  std::string from = names.size(range.from), end = names.size(range.from + range.count);
  std::string text = at.text + " < " + end;
  if (range.count == Size::number(1))
    text = at.text + " == " + from;
  else if (from != "0")
    text = at.text + " >= " + from + " && " + text;
  return derived("bool", text, at.level);
}

Frame Values::readFrame(const kernel::Read &read, const Frame &frame) {
  Frame result = frame;
  for (const auto &[dim, position] : read.at)
    result = result.with(dim, place(position, frame));
  if (read.at.empty() || !read.within)
    return result;
  result.mask = isWithin(*read.within, frame);
  if (!frame.mask.text.empty())
    result.mask = derived("bool", frame.mask.text + " && " + result.mask.text,
                          std::max(frame.mask.level, result.mask.level));
  return result;
}

std::string Values::chosen(ArrayRef<kernel::Read> reads, const Frame &frame) {
  std::string text;
  for (const kernel::Read &read : reads.drop_back()) {
    text += isWithin(*read.within, frame).text + " ? ";
    text += value(read.source, readFrame(read, frame)) + " : ";
  }
  return text + value(reads.back().source, readFrame(reads.back(), frame));
}

} // namespace weft::c
