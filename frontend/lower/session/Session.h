// What all entries of one module share while it is built: names, sizes, storage, and the sink of
// errors.
#pragma once

#include "frontend/lower/session/BuildOptions.h"
#include "frontend/lower/session/DimTable.h"
#include "frontend/semantics/Program.h"

#include "ir/model/Model.h"

namespace weft::lower {

using Names = std::vector<std::string>;

/// A parameter or state as the module declares it.
struct Storage {
  model::ParameterOp op;
  const ast::Storage *declaration = nullptr; ///< the statement that declared it first
};

struct Session {
  const sema::Program &program;
  const SourceManager &sources;
  Diagnostics &diagnostics;
  const BuildOptions &options;
  const Configuration &configuration;
  mlir::ModuleOp module;
  DimTable dims;
  std::map<std::string, Storage, std::less<>> storage; ///< by path
  std::map<const sema::FunctionInfo *, std::set<std::string>> mentioned;
  /// By entry, the settings that it reads. A training's name has those of its steps, `*` those of
  /// all entries as they are written.
  std::map<std::string, mlir::DictionaryAttr> reads;

  Diagnostic repeated; ///< takes what is said again of an error that another entry already met

  /// The program's own dimensions that `function`, and what it calls, speak of.
  const std::set<std::string> &mentions(const sema::FunctionInfo &function);

  /// What a name that is used stands for; the checker noted it for every name of a right program.
  const sema::Meaning &meaning(const ast::Name &name) const { return program.meanings.at(&name); }
  const sema::Variable *bound(const ast::Name &name) const {
    return program.bindings.at(&name).variable;
  }

  /// `file:line:column` as MLIR has it.
  mlir::Location locate(Span span, llvm::StringRef name = "");
};

} // namespace weft::lower
