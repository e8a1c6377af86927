// Fifth stage: who calls whom, recursion, and the dimensions of the file a function speaks of.
#include "frontend/check/Module.h"
#include "frontend/syntax/Mentions.h"
#include "frontend/syntax/Ordering.h"

#include <fmt/format.h>

namespace weft::sema {

namespace {

class CallGraph {
public:
  explicit CallGraph(Module &module) : module(module) {
    for (FunctionInfo &fn : module.tree.functions) {
      number[&fn] = fns.size();
      fns.push_back(&fn);
    }
    addConfiguredFunctions();
    uses.resize(fns.size());
    for (size_t i = 0; i < fns.size(); ++i)
      if (fns[i]->syntax)
        read(*fns[i], uses[i]);
  }

  std::vector<FunctionInfo *> order() {
    Ordering ordering = dependenciesFirst(uses);
    for (const std::vector<size_t> &cycle : ordering.cycles)
      report(cycle);
    std::vector<FunctionInfo *> out;
    for (size_t i : ordering.order) {
      FunctionInfo &fn = *fns[i];
      for (size_t callee : uses[i])
        fn.spoken.insert(fns[callee]->spoken.begin(), fns[callee]->spoken.end());
      if (fn.syntax)
        out.push_back(&fn);
    }
    return out;
  }

private:
  /// What a config puts in the place of an option is called there too.
  void addConfiguredFunctions() {
    for (const auto &[name, config] : module.tree.configs)
      for (const ast::Setting &setting : config->settings) {
        auto option = module.tree.options.find(setting.name.text);
        auto *variable = setting.value->as<ast::Variable>();
        if (option == module.tree.options.end() || !variable)
          continue;
        if (const FunctionInfo *fn = module.tree.function(variable->name.text, false))
          option->second.functions.push_back(fn);
      }
  }

  void read(FunctionInfo &fn, std::vector<size_t> &used) {
    Mentions all = mentions(*fn.syntax);
    std::set<std::string_view> bound;
    for (const ast::Name *name : all.bound)
      bound.insert(name->text);
    for (const auto *names : {&all.dims, &all.variables})
      for (const ast::Name *name : *names)
        if (const Dim *dim = fn.dims.find(name->text); dim && dim->kind == Dim::Kind::file)
          fn.spoken.insert(dim);

    std::set<size_t> targets;
    auto target = [&](const std::string &name) {
      if (auto it = module.tree.options.find(name);
          !fn.library && it != module.tree.options.end()) {
        for (const FunctionInfo *option : it->second.functions)
          targets.insert(number[option]);
        return;
      }
      if (const FunctionInfo *callee = module.tree.function(name, fn.library))
        targets.insert(number[callee]);
    };
    for (const ast::Call *call : all.calls) {
      if (!isArgument(fn, call->callee.text)) // its default is among the variables
        target(call->callee.text);
      // What is fixed at build time is never a value of the body, whatever that calls its values.
      for (const ast::Expr *given : fixedArguments(fn, *call))
        if (auto *variable = given->as<ast::Variable>();
            variable && !isArgument(fn, variable->name.text))
          target(variable->name.text);
    }
    for (const ast::Name *name : all.variables)
      if (!bound.count(name->text))
        target(name->text);
    used.assign(targets.begin(), targets.end());
  }

  /// What `call`, in the body of `fn`, gives to arguments that are known at build time.
  std::vector<const ast::Expr *> fixedArguments(const FunctionInfo &fn,
                                                const ast::Call &call) const {
    const FunctionInfo *callee = module.tree.function(call.callee.text, fn.library);
    for (const ArgInfo &arg : fn.signature.args)
      if (arg.isStatic && arg.name == call.callee.text)
        callee = arg.fallback.fn;
    if (auto it = module.tree.options.find(call.callee.text);
        !fn.library && it != module.tree.options.end())
      callee = it->second.value.fn;
    std::vector<const ast::Expr *> fixed;
    if (!callee)
      return fixed;
    const std::vector<ArgInfo> &args = callee->signature.args;
    for (size_t i = 0; i < std::min(args.size(), call.args.size()); ++i)
      if (args[i].isStatic)
        fixed.push_back(call.args[i].get());
    for (const ast::NamedArg &named : call.named)
      for (const ArgInfo &arg : args)
        if (arg.isStatic && arg.name == named.name.text)
          fixed.push_back(named.value.get());
    return fixed;
  }

  static bool isArgument(const FunctionInfo &fn, const std::string &name) {
    for (const ArgInfo &arg : fn.signature.args)
      if (arg.name == name)
        return true;
    return false;
  }

  void report(const std::vector<size_t> &cycle) {
    std::string ring;
    for (size_t i : cycle) {
      ring += fmt::format("`{}` -> ", fns[i]->name);
    }
    const FunctionInfo &first = *fns[cycle.front()];
    auto &error =
        module.diagnostics
            .error(Code::E0403, first.syntax->name.span,
                   fmt::format("`{}` calls itself", first.name))
            .note(fmt::format("{}`{}`", ring, first.name))
            .suggest("`repeat[n] { x = ... }` runs a step as often as a dimension is long");
    for (size_t i = 1; i < cycle.size() && i < 8; ++i)
      error.label(fns[cycle[i]]->syntax->name.span, "through this");
  }

  Module &module;
  std::vector<FunctionInfo *> fns;
  std::map<const FunctionInfo *, size_t> number;
  std::vector<std::vector<size_t>> uses;
};

} // namespace

std::vector<FunctionInfo *> orderCalls(Module &module) {
  return CallGraph(module).order();
}

} // namespace weft::sema
