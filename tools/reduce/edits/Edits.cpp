// Leaving out declarations, statements, arguments and dimensions.
#include "tools/reduce/edits/Edits.h"

#include "tools/reduce/edits/EditExpressions.h"

#include <algorithm>

namespace weft::reduce {

using namespace ast;

std::string Edit::applied(std::string_view text) const {
  auto sorted = changes;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto &a, const auto &b) { return a.first.begin > b.first.begin; });
  std::string result(text);
  for (const auto &[span, by] : sorted)
    result.replace(span.begin, span.end - span.begin, by);
  return result;
}

namespace {
/// The span of element `i` of a list in text, with the comma that leaves with it.
template <class Spans> Span withComma(const Spans &spans, size_t i) {
  Span span = spans[i];
  if (i + 1 < spans.size())
    span.end = spans[i + 1].begin;
  else if (i > 0)
    span.begin = spans[i - 1].end;
  return span;
}

/// Runs of elements: all, halves, quarters, down to single ones.
template <class Span> std::vector<Edit> runsOf(const std::vector<Span> &spans) {
  std::vector<Edit> edits;
  for (size_t length = spans.size(); length > 0; length = length > 1 ? (length + 1) / 2 : 0)
    for (size_t begin = 0; begin < spans.size(); begin += length) {
      Edit edit;
      for (size_t i = begin; i < std::min(begin + length, spans.size()); ++i)
        edit.changes.push_back({spans[i], ""});
      edits.push_back(std::move(edit));
    }
  return edits;
}

/// What stands there, with what is demanded of it.
Span withDemands(Span span, const std::vector<Annotation> &annotations) {
  return annotations.empty() ? span : join(annotations.front().span, span);
}

std::vector<Edit> declarations(const Pieces &pieces) {
  std::vector<Span> spans;
  for (const Declaration &declaration : pieces.file.declarations) {
    auto *function = declaration.as<Function>();
    spans.push_back(function ? withDemands(declaration.span, function->annotations)
                             : declaration.span);
  }
  return runsOf(spans);
}

std::vector<Edit> annotations(const Pieces &pieces) {
  std::vector<Span> spans;
  auto take = [&](const std::vector<Annotation> &list) {
    for (const Annotation &each : list)
      spans.push_back(each.span);
  };
  for (const Function *function : pieces.functions)
    take(function->annotations);
  for (const BodyPlace &place : pieces.bodies)
    for (const Stmt &stmt : place.body->stmts)
      take(stmt.annotations);
  return runsOf(spans);
}

std::vector<Edit> statements(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const BodyPlace &place : pieces.bodies) {
    if (place.body->isExpression)
      continue;
    std::vector<Span> spans;
    for (const Stmt &stmt : place.body->stmts)
      spans.push_back(withDemands(stmt.span, stmt.annotations));
    for (Edit &edit : runsOf(spans))
      edits.push_back(std::move(edit));
  }
  return edits;
}

/// `repeat` and `if` become what stands in them.
std::vector<Edit> unwrapped(const Pieces &pieces) {
  std::vector<Edit> edits;
  auto inside = [&](const Stmt &stmt, const Body &body) {
    if (!body.stmts.empty())
      edits.push_back(
          {{{stmt.span, std::string(pieces.text(join(
                            withDemands(body.stmts.front().span, body.stmts.front().annotations),
                            body.stmts.back().span)))}}});
  };
  for (const BodyPlace &place : pieces.bodies)
    for (const Stmt &stmt : place.body->stmts) {
      if (auto *repeat = stmt.as<Repeat>())
        inside(stmt, repeat->body);
      if (auto *choice = stmt.as<If>()) {
        inside(stmt, choice->then);
        if (choice->otherwise)
          inside(stmt, *choice->otherwise);
      }
    }
  return edits;
}

/// A function loses an argument, and its calls what they gave for it.
std::vector<Edit> arguments(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const Function *function : pieces.functions) {
    std::vector<Span> spans;
    for (const Arg &arg : function->args) {
      Span span = arg.name.span;
      if (arg.type)
        span = join(span, arg.type->span);
      if (arg.value)
        span = join(span, arg.value->span);
      spans.push_back(span);
    }
    for (size_t i = 0; i < spans.size(); ++i) {
      Edit edit{{{withComma(spans, i), ""}}};
      for (const Place &place : pieces.expressions) {
        auto *call = place.expr->as<Call>();
        if (!call || call->callee.text != function->name.text || i >= call->args.size())
          continue;
        std::vector<Span> given;
        for (const ExprPtr &each : call->args)
          given.push_back(each->span);
        for (const NamedArg &each : call->named)
          given.push_back(join(each.name.span, each.value->span));
        edit.changes.push_back({withComma(given, i), ""});
      }
      edits.push_back(std::move(edit));
    }
  }
  return edits;
}

/// An entry gives one result less, or no longer binds it by name.
std::vector<Edit> results(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const Function *function : pieces.functions) {
    std::vector<Span> spans;
    for (const Result &result : function->results)
      spans.push_back(join(result.name.span, result.type.span));
    for (size_t i = 0; i < spans.size() && spans.size() > 1; ++i) {
      Edit kept{{{withComma(spans, i), ""}}}, edit = kept;
      for (const Stmt &stmt : function->body.stmts)
        if (auto *let = stmt.as<Let>(); let && let->name.text == function->results[i].name.text)
          edit.changes.push_back({stmt.span, ""});
      edits.push_back(std::move(edit));
      edits.push_back(std::move(kept));
    }
    if (spans.size() == 1)
      for (const Stmt &stmt : function->body.stmts)
        if (auto *let = stmt.as<Let>(); let && let->name.text == function->results[0].name.text &&
                                        &stmt == &function->body.stmts.back())
          edits.push_back(
              {{{function->resultSpan, std::string(pieces.text(function->results[0].type.span))},
                {stmt.span, std::string(pieces.text(let->value->span))}}});
  }
  return edits;
}

/// A dimension leaves every type and every list of several.
std::vector<Edit> dimensions(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const DimDecl *declaration : pieces.dimensions)
    for (const DimDef &def : declaration->defs) {
      Edit edit;
      for (const Type *type : pieces.types) {
        std::vector<Span> spans;
        size_t at = type->dims.size();
        for (size_t i = 0; i < type->dims.size(); ++i) {
          spans.push_back(type->dims[i].name.span);
          at = type->dims[i].name.text == def.name.text ? i : at;
        }
        if (at == spans.size() || type->rest)
          continue;
        if (spans.size() > 1)
          edit.changes.push_back({withComma(spans, at), ""});
        else
          edit.changes.push_back({type->span, type->element ? type->element->text : "float"});
      }
      auto leave = [&](const auto &groups) {
        std::vector<Span> spans;
        for (const Group &group : groups)
          spans.push_back(group.span);
        for (size_t i = 0; i < spans.size() && spans.size() > 1; ++i)
          if (groups[i].dims.size() == 1 && groups[i].dims[0].text == def.name.text)
            edit.changes.push_back({withComma(spans, i), ""});
        for (const Group &group : groups)
          for (size_t i = 0; i < group.dims.size() && group.dims.size() > 1; ++i)
            if (group.dims[i].text == def.name.text) {
              std::vector<Span> names;
              for (const Name &name : group.dims)
                names.push_back(name.span);
              edit.changes.push_back({withComma(names, i), ""});
            }
      };
      for (const Place &place : pieces.expressions)
        if (auto *call = place.expr->as<Call>(); call && !call->dims.empty())
          leave(call->dims);
      if (!edit.changes.empty())
        edits.push_back(std::move(edit));
    }
  return edits;
}

/// Definitions of dimensions go, or become numbers; numbers become smaller.
std::vector<Edit> sizes(const Pieces &pieces) {
  std::vector<Edit> edits;
  for (const DimDecl *declaration : pieces.dimensions) {
    std::vector<Span> spans;
    for (const DimDef &def : declaration->defs)
      spans.push_back(def.span);
    for (size_t i = 0; i < spans.size() && spans.size() > 1; ++i)
      edits.push_back({{{withComma(spans, i), ""}}});
    for (const DimDef &def : declaration->defs) {
      const Expr *size = def.size ? def.size.get() : def.bound.get();
      auto *number = size ? size->as<Number>() : nullptr;
      if (!number) {
        for (const char *by : {" = 1", " = 2", " = 3", ""})
          if (size || !def.parts.empty())
            edits.push_back({{{def.span, def.name.text + by}}});
        continue;
      }
      for (int64_t smaller :
           {int64_t(1), int64_t(2), int64_t(3), number->integer / 2, number->integer - 1})
        if (smaller >= 1 && smaller < number->integer)
          edits.push_back({{{size->span, std::to_string(smaller)}}});
    }
  }
  return edits;
}
} // namespace

const std::vector<EditKind> &editKinds() {
  static const std::vector<EditKind> kinds = {{"declarations", declarations},
                                              {"statements", statements},
                                              {"annotations", annotations},
                                              {"repeat and if", unwrapped},
                                              {"values", othersForValues},
                                              {"results", results},
                                              {"expressions", simplerExpressions},
                                              {"statements", statements},
                                              {"arguments", arguments},
                                              {"dimensions", dimensions},
                                              {"sizes", sizes},
                                              {"single uses", inlinedValues}};
  return kinds;
}

} // namespace weft::reduce
