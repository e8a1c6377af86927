// `weft params`: every parameter of a configuration.
#include "ir/model/Dims.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"

#include <fmt/format.h>

namespace weft {

int runParams(const Arguments &arguments) {
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  if (!compilation.model())
    return compilation.exitCode();
  model::Dims dimensions(compilation.module());
  size_t widest = 4, widestDims = 0;
  struct Row {
    std::string name, dims, sizes;
    int64_t count;
    bool isState;
  };
  std::vector<Row> rows;
  int64_t total = 0;
  for (auto parameter : compilation.module().getOps<model::ParameterOp>()) {
    if (parameter.getKind() == model::ParameterKind::optimizer)
      continue;
    auto type = llvm::cast<model::NamedTensorType>(parameter.getType());
    Row row{parameter.getSymName().str(), "", "", 1,
            parameter.getKind() == model::ParameterKind::state};
    for (model::DimAttr dim : type.getDims()) {
      int64_t size = dimensions.size(dim).constant().value_or(0);
      row.dims += (row.dims.empty() ? "" : ", ") + dim.getValue().str();
      row.sizes += fmt::format("{}{}", row.sizes.empty() ? "" : " x ", size);
      row.count *= size;
    }
    if (!row.isState)
      total += row.count;
    widest = std::max(widest, row.name.size());
    widestDims = std::max(widestDims, row.dims.size() + 2);
    rows.push_back(row);
  }
  for (const Row &row : rows)
    fmt::print("{:{}}  {:{}}  {:>12}  float32  {}{}\n", row.name, widest, "[" + row.dims + "]",
               widestDims, row.count, row.sizes, row.isState ? "  (state)" : "");
  fmt::print("{} parameters in {} tensors\n", total, rows.size());
  return exitOk;
}

} // namespace weft
