// Configs: every name is an undefined dimension or an option, and every value fits it.
#include "frontend/check/Matching.h"
#include "frontend/check/Module.h"
#include "frontend/configure/Configure.h"
#include "frontend/syntax/Ordering.h"
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

namespace {

class ConfigChecker {
public:
  explicit ConfigChecker(Module &module) : module(module) {}

  void run() {
    checkBases();
    for (const auto &[name, config] : module.tree.configs)
      for (const ast::Setting &setting : config->settings)
        check(setting);
    if (module.diagnostics.hasErrors())
      return;                    // what is not known now has no size
    constexpr size_t most = 200; // of more, each is checked when it is built
    if (module.tree.configs.size() <= most)
      for (const auto &[name, config] : module.tree.configs)
        checkSizes(*config);
  }

private:
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  void checkBases() {
    std::vector<const ast::Config *> all;
    std::map<std::string_view, size_t> number;
    std::vector<std::string> known;
    for (const auto &[name, config] : module.tree.configs) {
      number[name] = all.size();
      all.push_back(config);
      known.push_back(name);
    }
    std::vector<std::vector<size_t>> bases(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i]->base)
        continue;
      const ast::Name &base = *all[i]->base;
      if (auto it = number.find(base.text); it != number.end()) {
        bases[i].push_back(it->second);
        module.mean(base, all[it->second]);
      } else
        module.suggest(error(Code::E0513, base.span, fmt::format("unknown config `{}`", base.text)),
                       base, known);
    }
    for (const std::vector<size_t> &cycle : dependenciesFirst(bases).cycles) {
      std::string ring;
      for (size_t i : cycle)
        ring += fmt::format("`{}` -> ", all[i]->name.text);
      const ast::Name &first = all[cycle.front()]->name;
      error(Code::E0212, first.span, fmt::format("config `{}` is made from itself", first.text))
          .note(fmt::format("{}`{}`", ring, first.text))
          .suggest(fmt::format("leave out what it is made from: `config {} with ...`", first.text));
    }
  }

  void check(const ast::Setting &setting) {
    const std::string &name = setting.name.text;
    if (auto it = module.tree.options.find(name); it != module.tree.options.end()) {
      module.mean<const OptionInfo *>(setting.name, &it->second);
      return checkOption(setting, it->second);
    }
    if (const Dim *dim = module.tree.dims.find(name)) {
      module.mean(setting.name, dim);
      return checkSize(setting, *dim);
    }
    if (auto storage = storageSetting(name))
      return checkStorage(setting, *storage);
    if (module.unknownDims.count(name))
      return; // said where an equation or a type needs it
    std::vector<std::string> known = module.tree.dims.names();
    for (const auto &[option, info] : module.tree.options)
      known.push_back(option);
    std::erase_if(known, [&](const std::string &other) {
      const Dim *dim = module.tree.dims.find(other);
      return dim && dim->defined;
    });
    Diagnostic &problem = error(Code::E0511, setting.name.span,
                                fmt::format("nothing that can be set is called `{}`", name),
                                "neither a dimension nor an option");
    module.suggest(problem, setting.name, known);
    if (problem.help.empty())
      problem.suggest(fmt::format("declare it: `dim {}`", name));
  }

  void checkStorage(const ast::Setting &setting, const StorageSetting &storage) {
    bool reads = setting.name.text == precisionSetting ? precisionOf(*setting.value).has_value()
                 : setting.name.text == weightsSetting ? weightsAsOf(*setting.value).has_value()
                 : setting.name.text == cachesSetting  ? cachesAsOf(*setting.value).has_value()
                                                       : recomputeOf(*setting.value).has_value();
    if (!reads)
      error(Code::E0316, setting.value->span,
            fmt::format("`{}` is {}", setting.name.text, storage.takes))
          .suggest(fmt::format("`{}`", storage.example));
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
          .label(dim.place, "a dimension")
          .suggest(fmt::format("`{} = 8`, or leave it out: then it comes with the data", dim.name));
    else if ((number && number->integer < 1) || setting.value->is<ast::Unary>())
      error(Code::E0213, setting.value->span, "a size must be at least 1")
          .label(dim.place, "a dimension")
          .suggest(fmt::format("`{} = 1`, or leave it out: then it comes with the data", dim.name));
  }

  /// What is wrong with sizes under this config: divisions that leave something over, sizes that
  /// are too large or above their bounds. What its base has too is said there.
  const std::set<std::string> &checkSizes(const ast::Config &config) {
    auto [found, isNew] = wrongSizes.try_emplace(config.name.text);
    if (!isNew)
      return found->second;
    std::set<std::string> inherited;
    if (config.base)
      inherited = checkSizes(*module.tree.configs.find(config.base->text)->second);
    Diagnostics problems;
    configure(module.tree, {config.name.text, {}}, problems);
    for (const Diagnostic &problem : problems.all()) {
      found->second.insert(problem.message);
      if (!inherited.count(problem.message))
        error(problem.code, config.name.span,
              fmt::format("config `{}`: {}", config.name.text, problem.message))
            .label(problem.labels.front().span, "here")
            .suggest(problem.help);
    }
    return found->second;
  }

  Module &module;
  std::map<std::string, std::set<std::string>> wrongSizes; ///< messages, by config
};

} // namespace

void checkConfigs(Module &module) {
  ConfigChecker(module).run();
}

} // namespace weft::sema
