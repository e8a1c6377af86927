// The syntax tree as text without places, for tests and for comparing programs.
#include "frontend/syntax/Unparse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace weft;
using namespace weft::ast;

std::string_view ast::spelling(FnKind kind) {
  constexpr std::string_view text[] = {"fn", "block", "entry"};
  return text[static_cast<size_t>(kind)];
}

namespace {

std::string show(const Type &type) {
  return (type.element ? type.element->text : "float") + "[" + unparseDims(type) + "]";
}
std::string show(const DimDef &def) {
  if (def.size)
    return def.name.text + " = " + dump(*def.size);
  if (def.bound)
    return def.name.text + " <= " + dump(*def.bound);
  if (def.parts.empty())
    return def.name.text;
  std::string parts;
  for (const Name &part : def.parts)
    parts += (parts.empty() ? "" : " | ") + part.text;
  return def.name.text + " = " + parts;
}
std::string show(const DimDecl &decl) {
  return "dim " + listed(decl.defs, [](const DimDef &def) { return show(def); });
}
std::string show(const List<Setting> &settings) {
  return listed(settings, [](const Setting &setting) {
    return setting.name.text + " = " + dump(*setting.value);
  });
}

std::string show(const std::vector<Annotation> &annotations, const std::string &pad) {
  std::string text;
  for (const Annotation &each : annotations)
    text += fmt::format("{}@{}({})\n", pad, each.required ? "require" : "forbid",
                        listed(each.fusions, [](const Name &fusion) { return fusion.text; }));
  return text;
}

void write(std::string &out, const Body &body, unsigned indent);

void write(std::string &out, const Stmt &stmt, unsigned indent) {
  std::string pad(indent, ' ');
  out += show(stmt.annotations, pad);
  std::visit(Match{[&](const DimDecl &decl) { out += pad + show(decl) + "\n"; },
                   [&](const Storage &storage) {
                     out += fmt::format("{}{} {}: {}{}\n", pad,
                                        storage.kind == StorageKind::param ? "param" : "state",
                                        storage.name.text, show(storage.type),
                                        storage.init ? " = " + dump(*storage.init) : "");
                   },
                   [&](const Let &let) {
                     out += fmt::format("{}{} = {}\n", pad, let.name.text, dump(*let.value));
                   },
                   [&](const Repeat &repeat) {
                     out += fmt::format("{}repeat[{}]\n", pad, repeat.dim.text);
                     write(out, repeat.body, indent + 2);
                   },
                   [&](const If &branch) {
                     out += fmt::format("{}if {}\n", pad, dump(*branch.condition));
                     write(out, branch.then, indent + 2);
                     if (!branch.otherwise)
                       return;
                     out += pad + "else\n";
                     write(out, *branch.otherwise, indent + 2);
                   },
                   [&](const Value &value) { out += pad + dump(*value.expr) + "\n"; }},
             stmt.node);
}

void write(std::string &out, const Body &body, unsigned indent) {
  for (const Stmt &stmt : body.stmts)
    write(out, stmt, indent);
}

std::string show(const Arg &arg) {
  return arg.name.text + (arg.type ? ": " + show(*arg.type) : "") +
         (arg.value ? " = " + dump(*arg.value) : "");
}

std::string show(const Function &function) {
  std::string dims = listed(function.dims, [](const Name &dim) { return dim.text; });
  std::string args = listed(function.args, [](const Arg &arg) { return show(arg); });
  std::string results = listed(function.results, [](const Result &result) {
    return result.name.text + ": " + show(result.type);
  });
  std::string text = show(function.annotations, "");
  text += fmt::format("{} {}{}({}) -> {}\n", spelling(function.kind), function.name.text,
                      dims.empty() ? "" : "[" + dims + "]", args,
                      function.result ? show(*function.result) : "(" + results + ")");
  write(text, function.body, 2);
  return text;
}

std::string show(const OwnPart &part) {
  std::string picks =
      listed(part.picks, [](const Pick &pick) { return unparse(pick, Parentheses::all); });
  return unparse(part.path) + (picks.empty() ? "" : "[" + picks + "]");
}

std::string show(const RenameRule &rule) {
  std::string parts = listed(rule.parts, [](const OwnPart &part) { return show(part); });
  if (rule.along)
    parts = fmt::format("{}[{}]({})", rule.together == Together::stack ? "stack" : "concat",
                        rule.along->text, parts);
  return fmt::format("  {}\"{}\" = {}{}\n", rule.isCopy ? "copy " : "", rule.foreign, parts,
                     rule.layout ? ": " + unparse(*rule.layout) : "");
}

std::string show(const Weights &weights) {
  std::string text = fmt::format("weights {}\n", weights.name.text);
  for (const WeightRule &rule : weights.rules)
    text += std::visit(
        Match{[](const RenameRule &rename) { return show(rename); },
              [](const LayoutRule &layout) {
                return fmt::format("  {}: {}\n", show(layout.part), unparse(layout.layout));
              },
              [](const IgnoreRule &ignore) {
                return fmt::format("  ignore {}\"{}\"\n", ignore.isOption ? "option " : "",
                                   ignore.foreign);
              },
              [](const OptionRule &option) {
                return fmt::format("  option \"{}\" = {}\n", option.foreign,
                                   option.text ? '"' + *option.text + '"' : dump(*option.value));
              },
              [](const SizeRule &size) {
                return fmt::format("  size \"{}\" = {}\n", size.foreign, unparse(size.dims));
              },
              [](const ComputedRule &rule) {
                return fmt::format("  \"{}\" = {}()\n", rule.foreign, rule.entry.text);
              }},
        rule);
  return text;
}

} // namespace

std::string ast::dump(const Expr &expr) {
  return unparse(expr, Parentheses::all);
}

std::string ast::dump(const File &file) {
  std::string out;
  for (const Declaration &declaration : file.declarations)
    out += std::visit(
        Match{[](const DimDecl &decl) { return show(decl) + "\n"; },
              [](const OptionDecl &decl) { return "option " + show(decl.settings) + "\n"; },
              [](const Function &function) { return show(function); },
              [](const DerivedEntry &entry) {
                return fmt::format("entry {} = {}\n", entry.name.text, dump(*entry.expr));
              },
              [](const Config &config) {
                return fmt::format("config {}{} with {}\n", config.name.text,
                                   config.base ? " = " + config.base->text : "",
                                   show(config.settings));
              },
              [](const Weights &weights) { return show(weights); },
              [](const Use &use) { return "use " + use.name.text + "\n"; }},
        declaration.node);
  return out;
}
