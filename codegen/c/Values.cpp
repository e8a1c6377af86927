// Values of a kernel at given positions, as C.
#include "codegen/c/Values.h"

#include "codegen/c/Elementwise.h"
#include "ir/kernel/Walk.h"
#include "ir/reference/Random.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using mlir::Operation;

namespace weft::c {

using kernel::dimsOf;

Place Frame::at(DimAttr dim) const {
  Place place = find(dim);
  if (place.text.empty())
    reportFatalInternalError("no position along `" + dim.getValue() + "` in C");
  return place;
}

Values::Values(const kernel::RowProgram &program, const Names &names, Blocks &blocks, bool wide)
    : wide(wide), program(program), names(names), blocks(blocks) {
  kernel::FusedOp op = program.op;
  unsigned operands = op.getNumOperands();
  for (auto [i, layout] : enumerate(op.getLayoutsAttr().getAsRange<kernel::LayoutAttr>())) {
    mlir::Value value = i < operands ? op.getOperand(i) : mlir::Value(op.getResult(i - operands));
    buffers.push_back({(i < operands ? "in" : "out") + std::to_string(i), layout});
    blocks.line("{0}{1} *const {2} = buffers[{3}];", i < operands ? "const " : "",
                memoryType(model::typeOf(value).getElement()), buffers.back().name, i);
  }
  if (!op.getBody().front().getOps<model::RandomOp>().empty())
    blocks.line("const uint64_t *const draws = buffers[{0}];", buffers.size());
}

Size Values::declareCells(Operation *reduction, const Size &before) {
  DimList dims = program.inside(reduction->getResult(0));
  Memory &memory =
      cells[reduction] = {fresh("r"), kernel::LayoutAttr::dense(reduction->getContext(), dims)};
  bool isFloat = model::typeOf(reduction->getResult(0)).isFloat();
  blocks.line("{0} *const {1} = ({0} *)(scratch + 8 * {2});", isFloat ? "double" : "int32_t",
              memory.name, names.size(before));
  return kernel::sizeOf(dims);
}

void Values::loops(ArrayRef<DimAttr> dims, const Frame &frame,
                   function_ref<void(const Frame &)> body) {
  if (dims.empty())
    return body(frame);
  std::string i = names.loop(dims[0]);
  blocks.loop(i, names.extent(dims[0]), /*reverse=*/false, [&] {
    loops(dims.drop_front(), frame.with(dims[0], {i, blocks.innermost()}), body);
  });
}

Place Values::homeOf(mlir::Value v, const Frame &frame) const {
  Operation *op = v.getDefiningOp();
  // The result of a reduction may be read at all positions.
  Place mask = op && kernel::isReduction(op) ? Place() : frame.mask;
  Place home{formatv("{0}&{1}", v.getAsOpaquePointer(), mask.text),
             std::max(program.pass.lookup(v) ? rowLevel : 0, mask.level)};
  for (DimAttr dim : dimsOf(v)) {
    Place at = frame.at(dim);
    home.level = std::max(home.level, at.level);
    home.text += "|" + at.text;
  }
  return home;
}

std::string Values::variable(StringRef start, const Place &home, StringRef type,
                             function_ref<std::string()> text) {
  std::string &name = blocks.nameOf(home.text, home.level);
  if (name.empty()) {
    std::string computed = text(); // which needs variables itself
    name = fresh(start);
    blocks.write(home.level, "const " + type + " " + name + " = " + computed + ";");
  }
  return name;
}

std::string Values::value(mlir::Value v, const Frame &frame) {
  Operation *op = v.getDefiningOp();
  if (isa_and_nonnull<model::Moving>(op))
    if (std::vector<kernel::Read> reads = kernel::readsOf(op); reads.size() == 1)
      return value(reads[0].source, readFrame(reads[0], frame));
  if (isa_and_nonnull<model::ConstantOp>(op))
    return elementwise(op, {}, names, wide);
  return variable("v", homeOf(v, frame), variableType(model::typeOf(v).getElement(), wide),
                  [&] { return compute(v, frame); });
}

void Values::define(Operation *reduction, const Frame &frame, const std::string &computed) {
  mlir::Value v = reduction->getResult(0);
  variable("v", homeOf(v, frame), variableType(model::typeOf(v).getElement(), wide),
           [&] { return computed; });
}

std::string Values::compute(mlir::Value v, const Frame &frame) {
  if (auto argument = dyn_cast<mlir::BlockArgument>(v)) {
    std::string text = element(buffers[argument.getArgNumber()], frame);
    return frame.mask.text.empty() ? text : frame.mask.text + " ? " + text + " : 0";
  }
  Operation *op = v.getDefiningOp();
  if (kernel::isReduction(op))
    return cell(op, frame);
  if (auto index = dyn_cast<model::IndexOp>(op))
    return frame.at(index.getDimAttr()).text;
  if (auto draw = dyn_cast<model::RandomOp>(op)) {
    std::string index = "0";
    for (DimAttr dim : dimsOf(v))
      index += formatv(" + (uint64_t){0} * UINT64_C({1})", frame.at(dim).text,
                       reference::randomStride(std::string_view(dim.getValue())));
    uint32_t path = reference::randomPath(std::string_view(draw.getPath()));
    return formatv("weft_random(draws, {0}u, {1}) /* {2} */", path, index, comment(draw.getPath()));
  }
  if (isa<model::Moving>(op))
    return chosen(kernel::readsOf(op), frame);
  SmallVector<std::string> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(value(operand, frame));
  return elementwise(op, operands, names, wide);
}

std::string Values::element(const Memory &memory, const Frame &frame) {
  SmallVector<std::string> terms;
  for (auto [dim, stride] : zip(memory.layout.getDims(), memory.layout.getStrides())) {
    std::string at = frame.at(dim).text, step = names.size(stride);
    if (at != "0" && step != "0")
      terms.push_back(step == "1" ? at : at + " * " + step);
  }
  return memory.name + "[" + (terms.empty() ? "0" : join(terms, " + ")) + "]";
}

std::string Values::target(unsigned number, const Frame &frame) {
  return element(buffers[program.op->getNumOperands() + number], frame);
}

std::string Values::cell(Operation *reduction, const Frame &frame) {
  auto found = cells.find(reduction);
  if (found == cells.end())
    reportFatalInternalError("a reduction is read before it is known");
  // Along its other dimensions a cell is that of the row which is being computed.
  for (DimAttr dim : dimsOf(reduction->getResult(0)))
    if (!found->second.layout.stride(dim) && frame.at(dim).text != names.loop(dim))
      reportFatalInternalError("what a row kept along `" + dim.getValue() +
                               "` is read at another position");
  return element(found->second, frame);
}

} // namespace weft::c
