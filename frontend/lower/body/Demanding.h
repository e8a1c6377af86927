// What annotations demand of what is built behind them.
#pragma once

#include "frontend/lower/body/Builder.h"

namespace weft::lower {

/// While it lives, all that is built is held to these: a statement, or the body of a call. Each
/// time is a demand of its own, for the code may be in several places.
class Builder::Demanding {
public:
  Demanding(Builder &builder, const std::vector<ast::Annotation> &annotations);
  ~Demanding() { builder.demanded.resize(before); }
  Demanding(const Demanding &) = delete;

private:
  Builder &builder;
  size_t before;
};

} // namespace weft::lower
