// Expressions by their parts.
#include "tools/reduce/edits/EditExpressions.h"

#include <algorithm>
#include <set>

namespace weft::reduce {

using namespace ast;

namespace {
/// Everything below and with it.
void collect(const Expr &expr, std::vector<const Expr *> &into) {
  into.push_back(&expr);
  for (const Expr *child : below(expr))
    collect(*child, into);
}

/// Where a function's body reads a name.
std::vector<const Expr *> usesOf(const Pieces &pieces, const Function *function,
                                 const std::string &name) {
  std::vector<const Expr *> uses;
  for (const Place &place : pieces.expressions)
    if (auto *variable = place.expr->as<Variable>();
        variable && place.function == function && variable->name.text == name)
      uses.push_back(place.expr);
  return uses;
}

bool bindsAgain(const Pieces &pieces, const Function *function, const std::string &name) {
  int count = 0;
  for (const BodyPlace &place : pieces.bodies)
    for (const Stmt &stmt : place.body->stmts)
      if (auto *let = stmt.as<Let>(); let && place.function == function && let->name.text == name)
        ++count;
  return count > 1;
}

Span nameSpan(const Expr &use) {
  return use.as<Variable>()->name.span;
}
} // namespace

std::vector<Edit> simplerExpressions(const Pieces &pieces) {
  std::vector<const Expr *> all;
  for (const Place &place : pieces.expressions)
    if (place.function)
      all.push_back(place.expr);
  std::sort(all.begin(), all.end(), [](const Expr *a, const Expr *b) {
    uint32_t p = a->span.end - a->span.begin, q = b->span.end - b->span.begin;
    return p != q ? p > q : a->span.begin < b->span.begin;
  });
  std::vector<Edit> edits;
  for (const Expr *expr : all) {
    if (expr->is<Variable>() || expr->is<Bool>() || expr->is<Path>())
      continue;
    if (auto *number = expr->as<Number>()) {
      for (const char *by : {"1", "2"})
        if (number->text.size() > 1)
          edits.push_back({{{expr->span, by}}});
      continue;
    }
    for (const Expr *child : below(*expr)) {
      std::string text(pieces.text(child->span));
      bool simple =
          child->is<Variable>() || child->is<Number>() || child->is<Call>() || child->is<Index>();
      edits.push_back({{{expr->span, simple ? text : "(" + text + ")"}}});
    }
    for (const char *by : {"1", "0.5", "true"})
      edits.push_back({{{expr->span, by}}});
    auto dropped = [&](Span span) {
      // with the comma before it
      std::string_view text = pieces.text(expr->span);
      uint32_t begin = span.begin - expr->span.begin;
      while (begin > 0 && text[begin - 1] != ',' && text[begin - 1] != '(' &&
             text[begin - 1] != '[')
        --begin;
      if (begin > 0 && text[begin - 1] == ',')
        span.begin = expr->span.begin + begin - 1;
      edits.push_back({{{span, ""}}});
    };
    if (auto *call = expr->as<Call>()) {
      for (const NamedArg &named : call->named)
        dropped(join(named.name.span, named.value->span));
      if (call->label)
        edits.push_back(
            {{{Span{expr->span.file, call->label->span.begin, call->callee.span.begin}, ""}}});
      for (const Group &group : call->dims)
        for (const Name &name : group.dims)
          if (call->dims.size() == 1 && group.dims.size() > 1)
            edits.push_back({{{group.span, name.text}}});
      if (call->dims.size() > 1) // `sum[d, e]` sums over one of them
        for (const Group &group : call->dims)
          edits.push_back({{{join(call->dims.front().span, call->dims.back().span),
                             std::string(pieces.text(group.span))}}});
    }
  }
  return edits;
}

std::vector<Edit> othersForValues(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const BodyPlace &place : pieces.bodies) {
    std::vector<std::string> before;
    if (place.function)
      for (const Arg &arg : place.function->args)
        before.push_back(arg.name.text);
    for (const Stmt &stmt : place.body->stmts) {
      auto *let = stmt.as<Let>();
      if (auto *storage = stmt.as<Storage>())
        before.push_back(storage->name.text);
      if (!let)
        continue;
      std::vector<const Expr *> uses = usesOf(pieces, place.function, let->name.text);
      // What it is made of stands for it first, then what comes before it.
      std::vector<std::string> others;
      std::vector<const Expr *> parts;
      collect(*let->value, parts);
      for (const Expr *part : parts)
        if (auto *variable = part->as<Variable>())
          others.push_back(variable->name.text);
      others.insert(others.end(), before.rbegin(), before.rend());
      std::set<std::string> tried = {let->name.text};
      for (const std::string &other : others) {
        if (tried.size() > 8 || uses.empty() || !tried.insert(other).second)
          continue;
        Edit edit{{{stmt.span, ""}}};
        bool outside = true;
        for (const Expr *use : uses) {
          outside &= use->span.begin >= stmt.span.end || use->span.end <= stmt.span.begin;
          edit.changes.push_back({nameSpan(*use), other});
        }
        if (outside)
          edits.push_back(std::move(edit));
      }
      before.push_back(let->name.text);
    }
  }
  std::reverse(edits.begin(), edits.end());
  return edits;
}

std::vector<Edit> inlinedValues(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const BodyPlace &place : pieces.bodies)
    for (const Stmt &stmt : place.body->stmts) {
      auto *let = stmt.as<Let>();
      if (!let || bindsAgain(pieces, place.function, let->name.text))
        continue;
      std::vector<const Expr *> uses = usesOf(pieces, place.function, let->name.text);
      if (uses.size() != 1)
        continue;
      std::string text(pieces.text(let->value->span));
      bool simple = let->value->is<Call>() || let->value->is<Index>() || let->value->is<Variable>();
      edits.push_back({{{stmt.span, ""}, {nameSpan(*uses[0]), simple ? text : "(" + text + ")"}}});
    }
  return edits;
}

} // namespace weft::reduce
