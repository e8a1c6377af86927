// Prints the module that is built from a program: `dump-model gpt.weft [entry…] [name=value…]`.
// Makes the inputs under tests/passes/inputs, which say how they were made.
#include "frontend/ModelBuilder.h"
#include "frontend/Parser.h"

#include "mlir/IR/OperationSupport.h"

#include <cstdio>

int main(int count, char **arguments) {
  if (count < 2) {
    std::fputs("usage: dump-model FILE [ENTRY…] [NAME=VALUE…] [config:NAME]\n", stderr);
    return 2;
  }
  weft::BuildOptions options;
  for (int i = 2; i < count; ++i) {
    std::string word = arguments[i];
    if (size_t at = word.find('='); at != std::string::npos)
      options.settings.set.emplace_back(word.substr(0, at), word.substr(at + 1));
    else if (word.starts_with("config:"))
      options.settings.config = word.substr(7);
    else
      options.entries.push_back(word);
  }
  weft::SourceManager sources;
  weft::Diagnostics diagnostics;
  weft::ast::Program program = weft::loadProgram(arguments[1], sources, diagnostics);
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (!diagnostics.hasErrors())
    module = weft::buildModel(program, options, sources, context, diagnostics);
  std::fputs(weft::render(diagnostics, sources).c_str(), stderr);
  if (!module)
    return 1;
  mlir::OpPrintingFlags flags;
  module->print(llvm::outs(), flags.printNameLocAsPrefix());
}
