// Reads options, configs and command-line settings, then settles every size that does not need
// data.
#include "frontend/Configure.h"

#include "frontend/build/Signature.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

namespace weft {

const Dimension *Configuration::dim(std::string_view name) const {
  for (const Dimension &dim : dims)
    if (dim.name == name)
      return &dim;
  return nullptr;
}

namespace {

struct Configurator {
  const ast::Program &program;
  const FunctionTable &functions;
  const SourceManager &sources;
  Diagnostics &diagnostics;

  Configuration result;
  std::map<std::string, const ast::DimDef *> definitions;
  std::map<std::string, const ast::Config *> configs;
  std::map<std::string, int64_t> given; ///< sizes that a config or the command line set
  std::map<std::string, std::optional<KnownSize>> known;
  std::set<std::string> resolving;

  void collect();
  void applyConfig(const std::string &name, std::optional<Span> from);
  void apply(const ast::Name &name, const ast::Expr &value);
  void applyText(const std::string &name, const std::string &text);
  void set(const std::string &name, std::optional<Span> place, const Static &value);
  std::optional<Static> read(const std::string &name, const std::string &text);
  std::optional<Static> evaluate(const ast::Expr &expr);
  std::optional<KnownSize> size(const std::string &name, Span use);
  void settle();
  void checkBound(const Dimension &dim);

  SizeReport report() {
    return [this](Code code, Span place, std::string message, std::string label) {
      diagnostics.error(code, place, std::move(message), std::move(label));
    };
  }
  Diagnostic &error(Code code, std::optional<Span> place, std::string message) {
    return place ? diagnostics.error(code, *place, std::move(message))
                 : diagnostics.error(code, std::move(message));
  }
};

void Configurator::collect() {
  for (const ast::File &file : program.files) {
    if (file.library)
      continue;
    for (const ast::Declaration &declaration : file.declarations) {
      if (auto *dims = declaration.as<ast::DimDecl>())
        for (const ast::DimDef &def : dims->defs)
          if (definitions.try_emplace(def.name.text, &def).second)
            result.dims.push_back({def.name.text, &def, {}, {}, {}});
      if (auto *config = declaration.as<ast::Config>())
        configs.try_emplace(config->name.text, config);
    }
  }
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *options = declaration.as<ast::OptionDecl>(); options && !file.library)
        for (const ast::Setting &setting : options->settings) {
          if (auto value = evaluate(*setting.value))
            result.options.insert_or_assign(setting.name.text, *value);
          else
            diagnostics.error(
                Code::E0607, setting.value->span,
                fmt::format("option `{}` must be known at build time", setting.name.text));
        }
}

std::optional<Static> Configurator::evaluate(const ast::Expr &expr) {
  StaticScope scope;
  scope.value = [&](const ast::Name &name) -> std::optional<Static> {
    if (auto option = result.options.find(name.text); option != result.options.end())
      return option->second;
    if (auto callee = functions.callee(name.text, false))
      return *callee;
    return std::nullopt;
  };
  return evaluateStatic(expr, scope);
}

void Configurator::applyConfig(const std::string &name, std::optional<Span> from) {
  auto found = configs.find(name);
  if (found == configs.end()) {
    Diagnostic &e = error(Code::E0600, from, fmt::format("no config is called `{}`", name));
    std::vector<std::string> names;
    for (auto &config : configs)
      names.push_back(config.first);
    if (auto near = nearest(name, names))
      e.suggest(fmt::format("did you mean `{}`?", *near));
    else if (!names.empty())
      e.note(fmt::format("there is {}", fmt::join(names, ", ")));
    return;
  }
  const ast::Config &config = *found->second;
  if (!resolving.insert(name).second) {
    diagnostics.error(Code::E0600, config.name.span,
                      fmt::format("config `{}` is made from itself", name));
    return;
  }
  if (config.base)
    applyConfig(config.base->text, config.base->span);
  resolving.erase(name);
  for (const ast::Setting &setting : config.settings)
    apply(setting.name, *setting.value);
}

void Configurator::apply(const ast::Name &name, const ast::Expr &value) {
  auto read = evaluate(value);
  if (!read) {
    diagnostics.error(
        Code::E0607, value.span,
        fmt::format("`{}` must be set to a number, a switch or a function", name.text));
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
  if (auto [p, e] = std::from_chars(text.data(), end, number); e == std::errc() && p == end)
    return StaticNumber::of(number);
  if (auto callee = functions.callee(text, false))
    return *callee;
  diagnostics.error(Code::E0607, fmt::format("`{}` cannot be set to `{}`", name, text))
      .note(
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

void Configurator::set(const std::string &name, std::optional<Span> place, const Static &value) {
  if (auto option = result.options.find(name); option != result.options.end()) {
    if (auto why = mismatch(value, option->second))
      error(Code::E0607, place,
            fmt::format("option `{}` takes {}, not `{}`", name, *why, show(value)));
    else
      option->second = value;
    return;
  }
  auto dim = definitions.find(name);
  if (dim == definitions.end()) {
    Diagnostic &e =
        error(Code::E0601, place, fmt::format("`{}` is neither a dimension nor an option", name));
    std::vector<std::string> names;
    for (auto &[other, def] : definitions)
      if (!def->size && def->parts.empty())
        names.push_back(other);
    for (auto &option : result.options)
      names.push_back(option.first);
    if (auto near = nearest(name, names))
      e.suggest(fmt::format("did you mean `{}`?", *near));
    return;
  }
  const ast::DimDef &def = *dim->second;
  if (def.size || !def.parts.empty()) {
    error(Code::E0602, place, fmt::format("`{}` is defined by an equation and cannot be set", name))
        .label(def.span, "the equation");
    return;
  }
  auto *number = std::get_if<StaticNumber>(&value);
  if (!number || !number->whole || number->integer < 1 || number->integer > maxDimension) {
    error(Code::E0603, place,
          fmt::format("the size of `{}` must be a whole number from 1 to {}, not {}", name,
                      maxDimension, show(value)));
    return;
  }
  given[name] = number->integer;
}

std::optional<KnownSize> Configurator::size(const std::string &name, Span use) {
  if (auto found = known.find(name); found != known.end())
    return found->second;
  auto definition = definitions.find(name);
  if (definition == definitions.end() || !resolving.insert(name).second) {
    diagnostics.error(Code::E0610, use,
                      definition == definitions.end()
                          ? fmt::format("unknown dimension `{}`", name)
                          : fmt::format("the size of `{}` is defined by itself", name));
    return std::nullopt;
  }
  const ast::DimDef &def = *definition->second;
  auto lookup = [&](const ast::Name &n) { return size(n.text, n.span); };
  std::optional<KnownSize> size;
  if (def.size) {
    size = evaluateSize(*def.size, lookup, sources, report());
  } else if (!def.parts.empty()) {
    size = KnownSize::of(0);
    for (const ast::Name &part : def.parts) {
      auto one = lookup(part);
      if (size && one)
        size->polynomial = size->polynomial + one->polynomial;
      else
        size.reset();
    }
    if (size)
      size->number = size->polynomial.constant();
  } else if (auto number = given.find(name); number != given.end()) {
    size = KnownSize::of(number->second);
  } else {
    size = KnownSize{std::nullopt, Size::dim(name)};
  }
  if (size && size->number && (*size->number < 1 || *size->number > maxDimension)) {
    diagnostics.error(Code::E0603, def.span,
                      fmt::format("the size of `{}` is {}", name, *size->number),
                      fmt::format("must be from 1 to {}", maxDimension));
    size.reset();
  }
  resolving.erase(name);
  known[name] = size;
  return size;
}

void Configurator::checkBound(const Dimension &dim) {
  const ast::DimDef &def = *dim.definition;
  auto bound = evaluateSize(
      *def.bound, [&](const ast::Name &n) { return size(n.text, n.span); }, sources, report());
  if (bound && bound->number && *bound->number < 1)
    diagnostics.error(Code::E0603, def.span,
                      fmt::format("`{}` would be at most {}", dim.name, *bound->number));
  else if (bound && bound->number && dim.size.number && *dim.size.number > *bound->number)
    diagnostics.error(Code::E0606, def.span,
                      fmt::format("`{}` is {}, but at most {} is allowed", dim.name,
                                  *dim.size.number, *bound->number));
}

void Configurator::settle() {
  for (Dimension &dim : result.dims) {
    const ast::DimDef &def = *dim.definition;
    for (const ast::Name &part : def.parts)
      dim.parts.push_back(part.text);
    if (auto known = size(dim.name, def.name.span))
      dim.size = *known;
    if (!def.bound)
      continue;
    checkBound(dim);
    if (auto named = evaluateSize(
            *def.bound,
            [](const ast::Name &n) { return KnownSize{std::nullopt, Size::dim(n.text)}; }, sources,
            report()))
      dim.bound = named->polynomial;
  }
}

} // namespace

std::optional<Configuration> configure(const ast::Program &program, const FunctionTable &functions,
                                       const Settings &settings, const SourceManager &sources,
                                       Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  Configurator configurator{program, functions, sources, diagnostics, {}, {}, {}, {}, {}, {}};
  configurator.collect();
  if (!settings.config.empty())
    configurator.applyConfig(settings.config, std::nullopt);
  for (auto &[name, text] : settings.set)
    configurator.applyText(name, text);
  configurator.settle();
  if (diagnostics.errorCount() != before)
    return std::nullopt;
  configurator.result.config = settings.config;
  return std::move(configurator.result);
}

} // namespace weft
