// Reads options, configs and command-line settings.
#include "frontend/configure/Configurator.h"

#include "frontend/configure/Fits.h"
#include "frontend/semantics/Replacement.h"
#include "frontend/source/Spelling.h"
#include "frontend/syntax/FloatRange.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace weft {

const Dimension *Configuration::dim(std::string_view name) const {
  for (const Dimension &dim : dims)
    if (dim.name == name)
      return &dim;
  return nullptr;
}

void Configurator::collect() {
  for (const ast::File &file : program.syntax.files) {
    if (file.library)
      continue;
    for (const ast::Declaration &declaration : file.declarations) {
      if (auto *dims = declaration.as<ast::DimDecl>())
        for (const ast::DimDef &def : dims->defs)
          if (definitions.try_emplace(def.name.text, &def).second)
            result.dims.push_back({def.name.text, &def, {}, {}, {}});
      if (auto *config = declaration.as<ast::Config>())
        configs.try_emplace(config->name.text, config);
      if (auto *list = declaration.as<ast::OptionDecl>())
        for (const ast::Setting &setting : list->settings)
          options.try_emplace(setting.name.text, &setting);
    }
  }
}

/// What was set, else the default with what it names as it was set.
std::optional<Static> Configurator::option(std::string_view name) {
  if (auto set = chosen.find(name); set != chosen.end())
    return set->second;
  constexpr size_t deepest = 200; // of options that each name the next
  auto declared = options.find(name);
  if (declared == options.end() || resolving.size() > deepest ||
      !resolving.insert(std::string(name)).second)
    return std::nullopt;
  std::optional<Static> value = evaluate(*declared->second->value);
  resolving.erase(std::string(name));
  return value;
}

std::optional<Static> Configurator::evaluate(const ast::Expr &expr) {
  StaticScope scope;
  scope.value = [&](const ast::Name &name) -> std::optional<Static> {
    auto meaning = program.meanings.find(&name);
    if (meaning == program.meanings.end())
      return std::nullopt;
    if (auto *named = std::get_if<const sema::OptionInfo *>(&meaning->second))
      return option((*named)->syntax->name.text);
    if (auto *function = std::get_if<const sema::FunctionInfo *>(&meaning->second))
      return *function;
    return std::nullopt;
  };
  return evaluateStatic(expr, scope);
}

void Configurator::applyConfig(const std::string &name, std::optional<Span> from) {
  auto found = configs.find(name);
  if (found == configs.end()) {
    std::vector<std::string> names;
    for (auto &config : configs)
      names.push_back(config.first);
    auto near = nearest(name, names);
    error(Code::E0600, from, fmt::format("no config is called `{}`", name))
        .suggest(near            ? fmt::format("did you mean `{}`?", *near)
                 : names.empty() ? "the program has none: `config small with model = 64`"
                                 : fmt::format("there is `{}`", fmt::join(names, "`, `")));
    return;
  }
  const ast::Config &config = *found->second;
  constexpr size_t deepest = 100;
  bool isNew = applying.insert(name).second;
  if (!isNew || applying.size() > deepest) {
    diagnostics
        .error(Code::E0600, config.name.span,
               isNew ? fmt::format("a config is made from `{}` through more than {} others", name,
                                   deepest)
                     : fmt::format("config `{}` is made from itself", name))
        .suggest("leave out what it is made from");
    return;
  }
  if (config.base)
    applyConfig(config.base->text, config.base->span);
  applying.erase(name);
  for (const ast::Setting &setting : config.settings)
    apply(setting.name, *setting.value);
}

void Configurator::apply(const ast::Name &name, const ast::Expr &value) {
  if (auto storage = storageSetting(name.text);
      storage && !options.contains(name.text) && !definitions.contains(name.text)) {
    bool read = name.text == precisionSetting ? (result.precision = precisionOf(value)).has_value()
                : name.text == weightsSetting ? (result.weightsAs = weightsAsOf(value)).has_value()
                : name.text == cachesSetting  ? (result.cachesAs = cachesAsOf(value)).has_value()
                                              : (result.recompute = recomputeOf(value)).has_value();
    if (!read)
      diagnostics
          .error(Code::E0607, value.span, fmt::format("`{}` is {}", name.text, storage->takes))
          .suggest(fmt::format("`{}`", storage->example));
    return;
  }
  auto read = evaluate(value);
  if (!read) {
    diagnostics
        .error(Code::E0607, value.span,
               fmt::format("`{}` must be set to a number, a switch or a function", name.text))
        .suggest("`model = 64`, `bias = false`, `act = gelu`");
    return;
  }
  set(name.text, name.span, *read);
}

std::optional<Static> Configurator::read(const std::string &name, const std::string &text) {
  if (text == "true" || text == "false")
    return text == "true";
  const char *end = text.data() + text.size();
  int64_t whole = 0;
  if (auto [p, e] = std::from_chars(text.data(), end, whole); e == std::errc() && p == end)
    return StaticNumber::of(whole);
  double number = 0;
  if (auto [p, e] = std::from_chars(text.data(), end, number);
      p == end && e != std::errc::invalid_argument) {
    if (e == std::errc() && (std::isinf(number) || isInFloatRange(number)))
      return StaticNumber::of(number);
    diagnostics
        .error(Code::E0607,
               fmt::format("`{}` cannot be set to `{}`: {}", name, text, outsideFloats))
        .suggest(std::string(floatRange));
    return std::nullopt;
  }
  if (Callee function = program.function(text, false))
    return function;
  diagnostics.error(Code::E0607, fmt::format("`{}` cannot be set to `{}`", name, text))
      .suggest(
          "a setting is a whole number for a dimension; a number, `true`, `false` or the name of a "
          "function for an option");
  return std::nullopt;
}

void Configurator::applyText(const std::string &name, const std::string &text) {
  auto value = read(name, text);
  if (!value)
    return;
  set(name, std::nullopt, *value);
  result.settings.emplace_back(name, *value);
}

/// A number as it was given: one with a point has it, though it is whole.
static std::string shownGiven(const Static &value) {
  std::string text = show(value);
  auto *number = std::get_if<StaticNumber>(&value);
  bool isBare = text.find_first_not_of("-0123456789") == std::string::npos;
  return number && !number->whole && isBare ? text + ".0" : text;
}

void Configurator::setOption(const ast::Setting &declared, std::optional<Span> place,
                             const Static &value) {
  const std::string &name = declared.name.text;
  std::optional<Static> fallback = evaluate(*declared.value);
  std::string why;
  bool fits = !fallback || isOfKind(value, *fallback);
  if (auto *function = std::get_if<Callee>(&value); function && fallback && fits)
    why = sema::mismatch(*std::get<Callee>(*fallback), **function,
                         program.options.find(name)->second.use);
  if (fits && why.empty()) {
    chosen.insert_or_assign(name, value);
    return;
  }
  auto &problem =
      error(
          Code::E0607, place,
          fmt::format("option `{}` takes {}, not `{}`", name, kindOf(*fallback), shownGiven(value)))
          .suggest(fmt::format("something like its default: `{}={}`", name, show(*fallback)));
  if (!why.empty())
    problem.note(why);
}

void Configurator::set(const std::string &name, std::optional<Span> place, const Static &value) {
  if (auto declared = options.find(name); declared != options.end())
    return setOption(*declared->second, place, value);
  auto dim = definitions.find(name);
  if (dim == definitions.end()) {
    std::vector<std::string> names;
    for (auto &[other, def] : definitions)
      if (!def->size && def->parts.empty())
        names.push_back(other);
    for (auto &option : options)
      names.push_back(option.first);
    auto near = nearest(name, names);
    error(Code::E0601, place, fmt::format("`{}` is neither a dimension nor an option", name))
        .suggest(near ? fmt::format("did you mean `{}`?", *near)
                      : fmt::format("there is `{}`", fmt::join(names, "`, `")));
    return;
  }
  const ast::DimDef &def = *dim->second;
  if (def.size || !def.parts.empty()) {
    error(Code::E0602, place, fmt::format("`{}` is defined by an equation and cannot be set", name))
        .label(def.span, "the equation")
        .suggest("set what the equation is made of");
    return;
  }
  auto *number = std::get_if<StaticNumber>(&value);
  if (number && !number->whole && number->value >= 1 && number->value <= maxDimension &&
      number->value == std::floor(number->value)) {
    error(Code::E0603, place,
          fmt::format("the size of `{}` is written as a float; a size has no point and no exponent",
                      name))
        .suggest(fmt::format("`{}={:.0f}`", name, number->value));
    return;
  }
  if (!number || !number->whole || number->integer < 1 || number->integer > maxDimension) {
    error(Code::E0603, place,
          fmt::format("the size of `{}` must be a whole number from 1 to {}, not {}", name,
                      maxDimension, show(value)))
        .suggest(fmt::format("`{}=8`", name));
    return;
  }
  given[name] = number->integer;
}

std::optional<Configuration> configure(const sema::Program &program, const Settings &settings,
                                       Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  Configurator configurator{program, diagnostics, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  configurator.collect();
  if (!settings.config.empty())
    configurator.applyConfig(settings.config, std::nullopt);
  for (auto &[name, text] : settings.set)
    configurator.applyText(name, text);
  configurator.settleOptions();
  configurator.settleDims();
  if (diagnostics.errorCount() != before)
    return std::nullopt;
  configurator.result.config = settings.config;
  configurator.result.options = std::move(configurator.chosen);
  return std::move(configurator.result);
}

} // namespace weft
