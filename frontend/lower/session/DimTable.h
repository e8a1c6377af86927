// The dimensions of the module being built: the program's, those local to a body, and fresh ones.
#pragma once

#include "frontend/configure/Configure.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <set>

namespace weft::lower {

using Dims = llvm::SmallVector<mlir::StringAttr, 4>;

/// A name has one meaning and one size in the whole module.
class DimTable {
public:
  DimTable(mlir::MLIRContext *context, const Configuration &configuration);

  /// The program's own dimension of that name, or null.
  mlir::StringAttr ofProgram(llvm::StringRef name);
  /// A dimension that a body declares. The same declaration with the same size and parts is the
  /// same dimension: values that have it never leave the body, and no function calls itself.
  mlir::StringAttr local(const ast::DimDef &def, KnownSize size, std::vector<std::string> parts);
  /// A dimension like `dim` that is none of `taken`, for a call in which `dim` already means
  /// something.
  mlir::StringAttr fresh(mlir::StringAttr dim, llvm::ArrayRef<mlir::StringAttr> taken);
  /// One dimension as long as `dims` together.
  mlir::StringAttr merged(llvm::ArrayRef<mlir::StringAttr> dims);

  /// The size of one: in an equation of others a run-time dimension stands by its own name.
  KnownSize size(mlir::StringAttr dim) const;
  KnownSize size(llvm::ArrayRef<mlir::StringAttr> dims) const;
  /// Whether they are as long in every run, by their equations.
  bool sameSize(mlir::StringAttr a, mlir::StringAttr b) const {
    return get(a).size.polynomial == get(b).size.polynomial;
  }
  /// The parts of `dim token = class | seq`, if it has any.
  llvm::ArrayRef<std::string> parts(mlir::StringAttr dim) const;
  /// The undefined run-time dimensions that the size of `dim` follows from (itself, if it is one).
  std::vector<std::string> sources(mlir::StringAttr dim) const;
  const ast::DimDef *definition(mlir::StringAttr dim) const;
  /// What the source calls it.
  const std::string &written(mlir::StringAttr dim) const { return get(dim).written; }

  /// Declares every dimension that was asked for, and those their sizes, bounds and parts name, at
  /// the builder.
  void declare(mlir::OpBuilder &builder,
               const std::function<mlir::Location(Span, llvm::StringRef)> &locate);

private:
  struct Entry {
    mlir::StringAttr name;
    const ast::DimDef *definition = nullptr;
    KnownSize size; ///< in undefined run-time dimensions
    std::optional<Size> bound;
    std::vector<std::string> parts;
    mlir::StringAttr origin; ///< what a fresh dimension was made from
    std::string written;     ///< what it is called in the source, and so in messages
    bool used = false;
  };

  mlir::StringAttr add(const std::string &wanted, Entry entry);
  void use(Entry &entry);
  void use(const std::vector<std::string> &names);
  const Entry &get(mlir::StringAttr dim) const { return entries[indices.at(dim)]; }

  mlir::MLIRContext *context;
  std::vector<Entry> entries;
  std::map<std::string, size_t, std::less<>> byName;
  llvm::DenseMap<mlir::StringAttr, size_t> indices;
};

} // namespace weft::lower
