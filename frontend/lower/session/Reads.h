// What of a configuration the values of an entry depend on: weights that were trained under other
// values do not fit it, even where all shapes agree.
#pragma once

#include "frontend/configure/Configure.h"

#include "mlir/IR/Builders.h"

namespace weft::lower {

/// The names that were read while an entry was built. What only initial values or a branch that was
/// not taken are made of is not among them.
struct Reads {
  std::set<std::string> options;
  std::set<std::string> dims;  ///< of the program
  std::set<std::string> given; ///< those of them that the inputs have: they come with the data
};

/// The options and the sizes that were set, with their values: `{act = "gelu", head = 4}`. Of a
/// dimension with an equation, what the equation is made of.
mlir::DictionaryAttr valuesOf(const Reads &reads, const Configuration &configuration,
                              mlir::OpBuilder &builder);

/// A truth value, a number, or the name of a function.
mlir::Attribute attributeOf(const Static &value, mlir::OpBuilder &builder);

} // namespace weft::lower
