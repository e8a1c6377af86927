// First stage: every declaration is entered once, under its name.
#include "frontend/builtin/Primitives.h"
#include "frontend/check/Module.h"
#include "frontend/source/Spelling.h"

#include <fmt/format.h>

namespace weft::sema {

void Module::meanChild(const ast::Name &name, const Child &child) const {
  if (child.repeat)
    mean(name, child.repeat);
  else if (child.instance.call->label)
    mean(name, child.instance.call);
  else if (auto bound = tree.bindings.find(child.label); bound != tree.bindings.end())
    mean(name, bound->second.variable);
}

bool Module::suggest(Diagnostic &problem, const ast::Name &name,
                     const std::vector<std::string> &known) const {
  if (diagnostics.full())
    return true; // nobody will read it
  if (std::optional<std::string> near = nearest(name.text, known)) {
    problem.suggest(fmt::format("did you mean `{}`?", *near)).replace(name.span, *near);
    return true;
  }
  constexpr size_t most = 8; // more would not be read
  std::set<std::string> all(known.begin(), known.end());
  if (problem.help.empty() && !all.empty() && all.size() <= most)
    problem.suggest(
        fmt::format("there {} `{}`", all.size() == 1 ? "is" : "are", fmt::join(all, "`, `")));
  return false;
}

namespace {

/// Enters declarations, and tells where a name is taken.
class Declarer {
public:
  explicit Declarer(Module &module) : module(module) {}

  void run() {
    declarePrimitives();
    // The files that are used stand behind those that use them: what is declared twice is blamed
    // on the user. Dimensions first: other names must differ from them.
    const std::vector<ast::File> &files = module.tree.syntax.files;
    for (auto file = files.rbegin(); file != files.rend(); ++file)
      for (const ast::Declaration &declaration : file->declarations)
        if (auto *dims = declaration.as<ast::DimDecl>())
          declareDims(*dims, file->library);
    for (auto file = files.rbegin(); file != files.rend(); ++file)
      for (const ast::Declaration &declaration : file->declarations)
        declareOther(declaration, file->library);
    for (const auto &[name, option] : module.tree.options)
      if (auto it = module.tree.own.find(name); it != module.tree.own.end())
        module.diagnostics
            .error(Code::E0205, option.syntax->name.span,
                   fmt::format("`{}` is already a {}", name, ast::spelling(it->second->kind)))
            .label(it->second->syntax->name.span, "declared here")
            .suggest("a name means one thing: call the option something else");
  }

private:
  void declarePrimitives() {
    for (const std::string &name : primitiveNames()) {
      if (!isElementwise(*findPrimitive(name, false)))
        continue;
      FunctionInfo &fn = module.tree.functions.emplace_back();
      fn.name = name;
      fn.library = true;
      ArgInfo arg;
      arg.name = "x";
      arg.rest = module.tree.table.make(Dim::Kind::rest, "x", {});
      arg.type.dims = {arg.rest};
      fn.signature.result = arg.type;
      fn.signature.args.push_back(std::move(arg));
      module.tree.primitives[name] = &fn;
    }
  }

  void twice(std::string_view what, const ast::Name &name, Span first) {
    module.diagnostics
        .error(Code::E0211, name.span, fmt::format("{} `{}` is declared twice", what, name.text),
               "again")
        .label(first, "first")
        .suggest("leave one of them out, or give it another name");
  }

  void declareDims(const ast::DimDecl &decl, bool library) {
    for (const ast::DimDef &def : decl.defs) {
      if (library) {
        module.diagnostics
            .error(Code::E0214, def.name.span, "the library has no dimensions of its own")
            .suggest(fmt::format("pass it: `fn name[{}](...)`", def.name.text));
        continue;
      }
      if (const Dim *first = module.tree.dims.findHere(def.name.text)) {
        twice("dimension", def.name, first->place);
        continue;
      }
      checkDimName(module, def.name);
      Dim *dim = module.tree.table.make(Dim::Kind::file, def.name.text, def.name.span);
      dim->defined = def.size || !def.parts.empty();
      module.tree.dims.add(dim);
      module.tree.defined[&def] = dim;
      module.mean<const Dim *>(def.name, dim);
      module.tree.dimDefs.emplace_back(&def, dim);
    }
  }

  void declareOther(const ast::Declaration &declaration, bool library) {
    if (auto *fn = declaration.as<ast::Function>())
      return declareFunction(*fn, declaration.span, library);
    if (auto *options = declaration.as<ast::OptionDecl>())
      for (const ast::Setting &setting : options->settings)
        declareOption(setting);
    if (auto *derived = declaration.as<ast::DerivedEntry>())
      if (isNewEntry(derived->name))
        module.mean(derived->name, module.tree.derived[derived->name.text] = derived);
    if (auto *config = declaration.as<ast::Config>()) {
      auto [it, isNew] = module.tree.configs.try_emplace(config->name.text, config);
      module.mean(config->name, it->second);
      if (!isNew)
        twice("config", config->name, it->second->name.span);
    }
    if (auto *weights = declaration.as<ast::Weights>()) {
      auto [it, isNew] = weightNames.try_emplace(weights->name.text, weights->name.span);
      module.mean(weights->name, weights);
      if (!isNew)
        twice("weights clause", weights->name, it->second);
    }
  }

  bool isNewEntry(const ast::Name &name) {
    auto [it, isNew] = entryNames.try_emplace(name.text, name.span);
    if (!isNew)
      twice("entry", name, it->second);
    return isNew;
  }

  void declareFunction(const ast::Function &syntax, Span place, bool library) {
    auto &table = syntax.kind == ast::FnKind::entry ? module.tree.entries
                  : library                         ? module.tree.library
                                                    : module.tree.own;
    if (syntax.kind == ast::FnKind::entry ? !isNewEntry(syntax.name)
                                          : !isNewFunction(syntax, table))
      return;
    FunctionInfo &fn = module.tree.functions.emplace_back();
    fn.name = syntax.name.text;
    fn.kind = syntax.kind;
    fn.syntax = &syntax;
    fn.library = library;
    auto length = static_cast<uint32_t>(ast::spelling(syntax.kind).size());
    fn.keyword = {place.file, place.begin, place.begin + length};
    fn.dims = DimScope(library ? nullptr : &module.tree.dims);
    table[fn.name] = &fn;
    module.mean<const FunctionInfo *>(syntax.name, &fn);
  }

  bool isNewFunction(const ast::Function &syntax,
                     const std::map<std::string, FunctionInfo *, std::less<>> &table) {
    auto it = table.find(syntax.name.text);
    if (it == table.end())
      return true;
    twice(it->second->kind == syntax.kind ? ast::spelling(syntax.kind) : "function", syntax.name,
          it->second->syntax->name.span);
    return false;
  }

  void declareOption(const ast::Setting &setting) {
    if (const Dim *dim = module.tree.dims.findHere(setting.name.text)) {
      module.diagnostics
          .error(Code::E0205, setting.name.span,
                 fmt::format("`{}` is already a dimension", setting.name.text))
          .label(dim->place, "declared here")
          .suggest("a name means one thing: call the option something else");
      return;
    }
    OptionInfo &option = module.tree.options[setting.name.text];
    if (option.syntax)
      return twice("option", setting.name, option.syntax->name.span);
    option.syntax = &setting;
    module.mean<const OptionInfo *>(setting.name, &option);
  }

  Module &module;
  std::map<std::string, Span> entryNames, weightNames;
};

} // namespace

void declare(Module &module) {
  Declarer(module).run();
}

} // namespace weft::sema
