// Configs: every name is an undefined dimension or an option, and every value fits it.
#include "frontend/check/Matching.h"
#include "frontend/check/Module.h"
#include "frontend/check/Ordering.h"
#include "frontend/check/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

namespace {

class ConfigChecker {
public:
  explicit ConfigChecker(Module &module) : module(module) {}

  void run() {
    checkBases();
    for (const auto &[name, config] : module.configs)
      for (const ast::Setting &setting : config->settings)
        check(setting);
  }

private:
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  void checkBases() {
    std::vector<const ast::Config *> all;
    std::map<std::string_view, size_t> number;
    std::vector<std::string> known;
    for (const auto &[name, config] : module.configs) {
      number[name] = all.size();
      all.push_back(config);
      known.push_back(name);
    }
    std::vector<std::vector<size_t>> bases(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i]->base)
        continue;
      const ast::Name &base = *all[i]->base;
      if (auto it = number.find(base.text); it != number.end())
        bases[i].push_back(it->second);
      else
        module.suggest(error(Code::E0513, base.span, fmt::format("unknown config `{}`", base.text))
                           .note(fmt::format("there are `{}`", fmt::join(known, "`, `"))),
                       base, known);
    }
    for (const std::vector<size_t> &cycle : dependenciesFirst(bases).cycles) {
      std::string ring;
      for (size_t i : cycle)
        ring += fmt::format("`{}` -> ", all[i]->name.text);
      const ast::Name &first = all[cycle.front()]->name;
      error(Code::E0513, first.span, fmt::format("config `{}` is made from itself", first.text))
          .note(fmt::format("{}`{}`", ring, first.text));
    }
  }

  void check(const ast::Setting &setting) {
    const std::string &name = setting.name.text;
    if (auto it = module.options.find(name); it != module.options.end())
      return checkOption(setting, it->second);
    if (const Dim *dim = module.dims.find(name))
      return checkSize(setting, *dim);
    if (module.unknownDims.count(name))
      return; // said where an equation or a type needs it
    std::vector<std::string> known = module.dims.names();
    for (const auto &[option, info] : module.options)
      known.push_back(option);
    module.suggest(error(Code::E0511, setting.name.span,
                         fmt::format("nothing that can be set is called `{}`", name),
                         "neither a dimension nor an option"),
                   setting.name, known);
  }

  void checkOption(const ast::Setting &setting, const OptionInfo &option) {
    Static value = evaluate(module, *setting.value, {});
    Static::Kind wanted = option.value.kind;
    if (value.kind == Static::Kind::unknown || wanted == Static::Kind::unknown)
      return;
    if (value.kind != wanted) {
      error(Code::E0316, setting.value->span,
            fmt::format("option `{}` takes {}", setting.name.text, describe(wanted)),
            fmt::format("this is {}", describe(value.kind)))
          .label(option.syntax->name.span, "declared here")
          .suggest(fmt::format("something like its default: `{} = {}`", setting.name.text,
                               quote(*option.syntax->value)));
      return;
    }
    if (!checkWhole(module, *setting.value, value, option.value, *option.syntax->value) ||
        !value.isFunction())
      return;
    std::string why = mismatch(*option.value.fn, *value.fn, option.use);
    if (!why.empty())
      error(Code::E0316, setting.value->span,
            fmt::format("`{}` cannot be the option `{}`", value.fn->name, setting.name.text), why)
          .label(option.syntax->value->span, "the default")
          .suggest(alternatives(module, *option.value.fn, option.use, false));
  }

  void checkSize(const ast::Setting &setting, const Dim &dim) {
    if (dim.broken)
      return;
    if (dim.defined) {
      auto &problem = error(Code::E0512, setting.name.span,
                            fmt::format("`{}` is defined and cannot be set", dim.name))
                          .label(dim.place, "size " + show(dim.size));
      std::string free;
      for (const std::string &atom : dim.size.dims())
        free += fmt::format("{}`{}`", free.empty() ? "" : " or ", atom);
      problem.suggest(free.empty() ? fmt::format("leave it undefined: `dim {}`", dim.name)
                                   : fmt::format("set {} instead", free));
      return;
    }
    Static value = evaluate(module, *setting.value, {});
    auto *number = setting.value->as<ast::Number>();
    if (value.kind == Static::Kind::unknown)
      return;
    if (value.kind != Static::Kind::number || (number && !number->isInteger))
      error(Code::E0316, setting.value->span,
            fmt::format("the size of `{}` is a whole number", dim.name),
            value.kind == Static::Kind::number ? ""
                                               : fmt::format("this is {}", describe(value.kind)))
          .label(dim.place, "a dimension");
    else if ((number && number->integer < 1) || setting.value->is<ast::Unary>())
      error(Code::E0213, setting.value->span, "a size must be at least 1")
          .label(dim.place, "a dimension");
  }

  Module &module;
};

} // namespace

void checkConfigs(Module &module) {
  ConfigChecker(module).run();
}

} // namespace weft::sema
