// The numbers of derived entries (`clip`, `start`, `max`), judged by what they are.
#pragma once

#include "frontend/check/Module.h"
#include "frontend/configure/Configure.h"

namespace weft::sema {

class ClauseNumbers {
public:
  explicit ClauseNumbers(Module &module) : module(module) {}

  /// Says so if `expr`, given as `name`, is out of its range: as the options stand, or in a config.
  /// `indexed`: the dimension whose position it is.
  void check(const ast::Expr &expr, std::string_view name, const Dim *indexed = nullptr);

private:
  /// What a build without settings has, then each config; what is wrong with them is said
  /// elsewhere.
  struct Case {
    std::string config;
    Configuration configuration;
  };
  const std::vector<Case> &cases();

  Module &module;
  std::vector<Case> known;
};

} // namespace weft::sema
