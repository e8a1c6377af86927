// The dimensions of the module being built: the program's, those local to a body, and fresh ones.
#pragma once

#include "frontend/configure/Configure.h"
#include "ir/model/Model.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <set>

namespace weft::lower {

using model::DimAttr, model::DimList;

/// A name has one meaning and one size in the whole module.
class DimTable {
public:
  DimTable(mlir::MLIRContext *context, const Configuration &configuration);

  /// The program's own dimension of that name, or null.
  DimAttr ofProgram(llvm::StringRef name);
  /// A dimension that a body declares. The same declaration with the same size and parts is the
  /// same dimension: values that have it never leave the body, and no function calls itself.
  DimAttr local(const ast::DimDef &def, KnownSize size, std::vector<std::string> parts);
  /// A dimension like `dim` that is none of `taken`, for a call in which `dim` already means
  /// something.
  DimAttr fresh(DimAttr dim, llvm::ArrayRef<DimAttr> taken);
  /// One dimension as long as `dims` together.
  DimAttr merged(llvm::ArrayRef<DimAttr> dims);

  /// The size of one: in an equation of others a run-time dimension stands by its own name.
  KnownSize size(DimAttr dim) const;
  KnownSize size(llvm::ArrayRef<DimAttr> dims) const;
  /// Whether they are as long in every run, by their equations.
  bool sameSize(DimAttr a, DimAttr b) const {
    return get(a).size.polynomial == get(b).size.polynomial;
  }
  /// The parts of `dim token = class | seq`, if it has any.
  DimList parts(DimAttr dim) const;
  /// The undefined run-time dimensions that the size of `dim` follows from (itself, if it is one).
  std::vector<std::string> sources(DimAttr dim) const;
  const ast::DimDef *definition(DimAttr dim) const;
  /// What the source calls it.
  const std::string &written(DimAttr dim) const { return get(dim).written; }

  /// Declares every dimension that was asked for, and those their sizes, bounds and parts name, at
  /// the builder.
  void declare(mlir::OpBuilder &builder,
               const std::function<mlir::Location(Span, llvm::StringRef)> &locate);

private:
  struct Entry {
    DimAttr name;
    const ast::DimDef *definition = nullptr;
    KnownSize size; ///< in undefined run-time dimensions
    std::optional<Size> bound;
    std::vector<std::string> parts;
    DimAttr origin;      ///< what a fresh dimension was made from
    std::string written; ///< what it is called in the source, and so in messages
    bool used = false;
  };

  DimAttr add(const std::string &wanted, Entry entry);
  void use(Entry &entry);
  void use(const std::vector<std::string> &names);
  const Entry &get(DimAttr dim) const { return entries[indices.at(dim)]; }

  mlir::MLIRContext *context;
  std::vector<Entry> entries;
  std::map<std::string, size_t, std::less<>> byName;
  llvm::DenseMap<DimAttr, size_t> indices;
};

} // namespace weft::lower
