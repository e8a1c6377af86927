// What must hold of the run-time sizes of a program.
#include "codegen/Obligations.h"

#include "ir/model/Dims.h"

using namespace weft;

static bool hasDivision(const Size &size) {
  for (const auto &[powers, coefficient] : size.terms()) {
    if (coefficient.denominator != 1)
      return true;
    for (const auto &[name, power] : powers)
      if (power < 0)
        return true;
  }
  return false;
}

std::vector<Obligation> weft::obligations(mlir::ModuleOp module) {
  model::Dims dims(module);
  std::vector<Obligation> result;
  // Values first, in the order of declaration: a bound may speak of a derived dimension declared
  // after it.
  for (auto dim : module.getOps<model::DimOp>()) {
    if (!dim.getSizeAttr())
      continue;
    std::string name = dim.getSymName().str();
    Size size = dims.size(name);
    bool divides = hasDivision(size);
    result.push_back(
        {divides ? Obligation::Kind::divides : Obligation::Kind::equals, name, size,
         "`" + name + "` = " + dim.getSizeAttr().getValue().str() + (divides ? " is whole" : "")});
  }
  for (auto dim : module.getOps<model::DimOp>()) {
    if (!dim.getBoundAttr())
      continue;
    std::string name = dim.getSymName().str(), written = dim.getBoundAttr().getValue().str();
    Size bound = dims.resolve(dim.getBoundAttr().getValue());
    std::string value = bound.constant() && bound.str() != written ? " (" + bound.str() + ")" : "";
    result.push_back({Obligation::Kind::bound, name, bound,
                      "`" + name + "` is at most `" + written + "`" + value});
  }
  return result;
}
