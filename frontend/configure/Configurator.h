// One configuration in the making: what is declared, what is set, and what follows from that.
#pragma once

#include "frontend/configure/Configure.h"

#include <set>

namespace weft {

struct Configurator {
  const sema::Program &program;
  Diagnostics &diagnostics;

  Configuration result;
  std::map<std::string, const ast::DimDef *> definitions;
  std::map<std::string, const ast::Config *> configs;
  std::map<std::string, const ast::Setting *, std::less<>> options;
  std::map<std::string, Static, std::less<>> chosen; ///< options that something set
  std::map<std::string, int64_t> given; ///< sizes that a config or the command line set
  std::map<std::string, std::optional<KnownSize>> known;
  std::set<std::string> resolving; ///< options and dimensions
  std::set<std::string> applying;  ///< configs

  void collect();
  void applyConfig(const std::string &name, std::optional<Span> from);
  void apply(const ast::Name &name, const ast::Expr &value);
  void applyText(const std::string &name, const std::string &text);
  void set(const std::string &name, std::optional<Span> place, const Static &value);
  std::optional<Static> option(std::string_view name);
  void setOption(const ast::Setting &declared, std::optional<Span> place, const Static &value);
  std::optional<Static> read(const std::string &name, const std::string &text);
  std::optional<Static> evaluate(const ast::Expr &expr);
  std::optional<KnownSize> size(const std::string &name, Span use);
  void settleOptions();
  void settleDims();
  void checkBound(const Dimension &dim);

  SizeReport report() {
    return [this](Code code, Span place, std::string message, std::string help) {
      diagnostics.error(code, place, std::move(message)).suggest(std::move(help));
    };
  }
  Diagnostic &error(Code code, std::optional<Span> place, std::string message) {
    return place ? diagnostics.error(code, *place, std::move(message))
                 : diagnostics.error(code, std::move(message));
  }
};

} // namespace weft
