// Warnings: what is declared and never read, which is often a slip.
#include "frontend/check/Module.h"
#include "frontend/syntax/Mentions.h"

#include <fmt/format.h>

namespace weft::sema {

namespace {

class Uses {
public:
  explicit Uses(Module &module) : module(module) {
    for (const auto &[def, dim] : module.tree.dimDefs)
      add(namesIn(*def));
    for (const ast::File &file : module.tree.syntax.files)
      for (const ast::Declaration &declaration : file.declarations)
        read(declaration, file.library);
  }

  void report() {
    for (const auto &[name, option] : module.tree.options)
      if (!option.used)
        warn(Code::E0216, option.syntax->name.span, "reads the option", name);
    // Files that are used serve several programs, and one without functions serves as such a file.
    bool isProgram = !module.tree.own.empty() || !module.tree.entries.empty();
    FileId main = module.tree.syntax.files.empty() ? 0 : module.tree.syntax.files.front().id;
    for (const auto &[def, dim] : module.tree.dimDefs)
      if (isProgram && def->name.span.file == main && !used.count(def->name.text))
        warn(Code::E0217, def->name.span, "uses the dimension", def->name.text);
    for (const FunctionInfo &fn : module.tree.functions)
      if (fn.syntax && !fn.library)
        report(fn);
  }

private:
  void read(const ast::Declaration &declaration, bool library) {
    if (auto *derived = declaration.as<ast::DerivedEntry>())
      add(mentions(*derived->expr).dims);
    auto *fn = declaration.as<ast::Function>();
    if (fn && !library) {
      Mentions all = mentions(*fn);
      for (const auto *names : {&all.dims, &all.variables, &all.equations})
        add(*names);
      for (const ast::Path *path : all.paths)
        for (const ast::Name &name : path->names) {
          used.insert(name.text);
          inPaths.insert(name.text);
        }
    }
    if (auto *weights = declaration.as<ast::Weights>())
      for (const ast::WeightRule &rule : weights->rules) {
        if (auto *size = std::get_if<ast::SizeRule>(&rule))
          add(std::vector{size->dims});
        if (auto *layout = std::get_if<ast::LayoutRule>(&rule)) {
          add(layout->part);
          add(layout->layout);
        }
        if (auto *rename = std::get_if<ast::RenameRule>(&rule)) {
          for (const ast::OwnPart &part : rename->parts)
            add(part);
          if (rename->along)
            used.insert(rename->along->text);
          if (rename->layout)
            add(*rename->layout);
        }
      }
  }

  void report(const FunctionInfo &fn) {
    Mentions all = mentions(*fn.syntax);
    std::set<std::string> here;
    for (const auto *names : {&all.dims, &all.variables, &all.equations})
      for (const ast::Name *name : *names)
        here.insert(name->text);
    for (const ast::Name *dim : all.declared)
      if (!here.count(dim->text))
        warn(Code::E0217, dim->span, "uses the dimension", dim->text);
    storages(fn.naming, here);
    if (!module.tree.entries.empty()) // else others may read what it names
      values(fn, all, here);
  }

  void values(const FunctionInfo &fn, const Mentions &all, std::set<std::string> read) {
    for (const ast::Arg &arg : fn.syntax->args)
      read.insert(arg.name.text);
    for (const ast::Result &result : fn.syntax->results)
      read.insert(result.name.text);
    for (const auto &[name, storage] : fn.naming.storage)
      read.insert(name);
    for (const ast::Name *name : all.bound)
      if (!inPaths.count(name->text) && read.insert(name->text).second)
        warn(Code::E0217, name->span, "reads the value", name->text);
  }

  void storages(const Naming &naming, const std::set<std::string> &here) {
    for (const auto &[name, storage] : naming.storage)
      if (!here.count(name) && !inPaths.count(name))
        warn(Code::E0217, storage.syntax->name.span,
             storage.syntax->kind == ast::StorageKind::param ? "reads the parameter"
                                                             : "reads the state",
             name);
    for (const auto &[name, children] : naming.children)
      for (const Child &child : children)
        if (child.inside)
          storages(*child.inside, here);
  }

  void add(const std::vector<ast::Group> &groups) {
    for (const ast::Group &group : groups)
      for (const ast::Name &name : group.dims)
        used.insert(name.text);
  }

  void add(const ast::OwnPart &part) {
    for (const ast::Pick &pick : part.picks) {
      if (auto *as = std::get_if<ast::Rename>(&pick))
        add(std::vector{as->from, as->to});
      else
        add(mentions(*std::get<ast::At>(pick).index).variables);
    }
  }

  void add(const std::vector<const ast::Name *> &names) {
    for (const ast::Name *name : names)
      used.insert(name->text);
  }

  void warn(Code code, Span place, std::string_view how, const std::string &name) {
    module.diagnostics.warning(code, place, fmt::format("nothing {} `{}`", how, name))
        .suggest("use it, or leave it out");
  }

  Module &module;
  std::set<std::string> used, inPaths;
};

} // namespace

void checkUse(Module &module) {
  Uses(module).report();
}

} // namespace weft::sema
