// Adds an entry by its text, and a function by its operations.
#include "Probes.h"
#include "ir/model/Entries.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::test {
namespace {

const ast::Function *functionNamed(const ast::File &file, const std::string &name) {
  for (const ast::Declaration &declaration : file.declarations)
    if (auto *function = declaration.as<ast::Function>(); function && function->name.text == name)
      return function;
  return nullptr;
}

/// The statements of a body, the last of which binds `output` if it was the value.
std::string statements(const ast::Body &body, const SourceManager &sources) {
  std::string text;
  for (const ast::Stmt &stmt : body.stmts) {
    bool isValue = &stmt == &body.stmts.back() && stmt.as<ast::Value>();
    text += fmt::format("  {}{}\n", isValue ? "output = " : "", sources.text(stmt.span));
  }
  return text;
}

} // namespace

std::string withObserved(const ast::Program &program, const SourceManager &sources,
                         const std::string &entry, const std::vector<Compared> &compared) {
  const ast::File &file = program.files.front();
  const ast::Function *function = functionNamed(file, entry);
  if (!function)
    return "";
  std::string_view all = sources.file(file.id).text();
  std::string_view arguments =
      all.substr(function->name.span.end, function->resultSpan.begin - function->name.span.end);
  std::string results, body = statements(function->body, sources);
  if (function->result)
    results = fmt::format("output: {}", sources.text(function->resultSpan));
  for (const ast::Result &result : function->results)
    results += fmt::format("{}{}: {}", results.empty() ? "" : ", ", result.name.text,
                           sources.text(result.type.span));
  for (size_t i = 0; i < compared.size(); ++i)
    if (!compared[i].type.empty()) {
      results += fmt::format(", observed{}: {}", i, compared[i].type);
      body += fmt::format("  observed{} = {}\n", i, compared[i].result);
    }
  return fmt::format("{}\nentry {}{}({}) {{\n{}}}\n", all, observed, arguments, results, body);
}

void readAsPaths(ast::Program &program) {
  for (ast::Declaration &declaration : program.files.front().declarations) {
    auto *function = std::get_if<ast::Function>(&declaration.node);
    if (!function || function->name.text != observed)
      continue;
    for (ast::Stmt &stmt : function->body.stmts) {
      auto *let = std::get_if<ast::Let>(&stmt.node);
      if (!let || !let->name.text.starts_with(observed))
        continue;
      if (auto *name = let->value->as<ast::Variable>())
        let->value->node = ast::Path{{name->name}, let->value->span};
    }
  }
}

std::string addProbe(func::FuncOp entry) {
  func::FuncOp probed = entry.clone();
  std::string name = entry.getSymName().str() + ".probed";
  probed.setName(name);
  entry->getBlock()->push_back(probed);
  Operation *exit = probed.front().getTerminator();
  Value output = exit->getOperand(0);
  auto type = model::typeOf(output);
  OpBuilder builder(exit);
  probed->setAttr(model::attr::entry, builder.getStringAttr(name));
  Location loc = exit->getLoc();
  auto named = builder.getNamedAttr(model::attr::name, builder.getStringAttr("probe"));
  (void)probed.insertArgument(probed.getNumArguments(), type, builder.getDictionaryAttr(named),
                              loc);
  Value scalar = model::MulOp::create(builder, loc, output, probed.getArguments().back());
  scalar = model::SumOp::create(builder, loc, type.getDims(), scalar);
  exit->setOperands(scalar);
  probed.setType(builder.getFunctionType(probed.getArgumentTypes(), scalar.getType()));
  auto result = builder.getNamedAttr(model::attr::name, builder.getStringAttr("output"));
  probed.setAllResultAttrs(ArrayRef<Attribute>(builder.getDictionaryAttr(result)));
  return name;
}

} // namespace weft::test
