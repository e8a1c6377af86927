// Evaluates what a `weights` clause says of a foreign configuration.
#include "frontend/weights/Options.h"

#include <fmt/format.h>

namespace weft {
namespace {

ForeignOption optionOf(const ast::OptionRule &rule, const Static &value) {
  ForeignOption option{rule.foreign, {}, show(value), ""};
  if (auto *truth = std::get_if<bool>(&value))
    option.value = *truth;
  else if (auto *number = std::get_if<StaticNumber>(&value))
    option.value = number->value;
  else
    option.value = ForeignOption::Function{option.shown};
  return option;
}

} // namespace

std::optional<std::vector<ForeignOption>> foreignOptions(const ast::Weights &clause,
                                                         const sema::Program &program,
                                                         const Settings &settings,
                                                         Diagnostics &diagnostics) {
  std::optional<Configuration> configuration = configure(program, settings, diagnostics);
  if (!configuration)
    return std::nullopt;
  StaticScope scope;
  scope.value = [&](const ast::Name &name) -> std::optional<Static> {
    auto found = configuration->options.find(name.text);
    if (found != configuration->options.end())
      return found->second;
    Callee callee = program.function(name.text, false);
    return callee ? std::optional<Static>(callee) : std::nullopt;
  };
  scope.size = [&](const ast::Name &name) -> std::optional<int64_t> {
    const Dimension *dim = configuration->dim(name.text);
    return dim ? dim->size.number : std::nullopt;
  };
  std::vector<ForeignOption> options;
  bool fine = true;
  for (const ast::WeightRule &each : clause.rules) {
    if (auto *ignored = std::get_if<ast::IgnoreRule>(&each); ignored && ignored->isOption)
      options.push_back({ignored->foreign, ForeignOption::Anything(), "", ""});
    auto *rule = std::get_if<ast::OptionRule>(&each);
    if (!rule)
      continue;
    if (rule->text) {
      options.push_back({rule->foreign, *rule->text, '"' + *rule->text + '"', ""});
      continue;
    }
    std::optional<Static> value = evaluateStatic(*rule->value, scope);
    if (!value) {
      fine = false;
      diagnostics
          .error(Code::E0625, rule->value->span,
                 fmt::format("what `{}` is here is not known before a run", rule->foreign))
          .suggest("name an option, a number, a switch or a function");
      continue;
    }
    options.push_back(optionOf(*rule, *value));
    if (auto *variable = rule->value->as<ast::Variable>();
        variable && configuration->options.contains(variable->name.text))
      options.back().option = variable->name.text;
  }
  return fine ? std::optional(std::move(options)) : std::nullopt;
}

} // namespace weft
