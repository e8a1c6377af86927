// Fourth stage: what every function takes and gives.
#include "frontend/check/Module.h"
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

namespace {

class SignatureReader {
public:
  SignatureReader(Module &module, FunctionInfo &fn)
      : module(module), fn(fn), syntax(*fn.syntax), out(fn.signature) {}

  void run() {
    for (const ast::Name &name : syntax.dims)
      addDim(name);
    for (const ast::Arg &arg : syntax.args)
      addArg(arg);
    for (const ArgInfo &arg : out.args)
      if (arg.isStatic)
        module.mean(arg.syntax->name, &arg);
    if (syntax.result)
      out.result = resultType(*syntax.result);
    for (const ast::Result &result : syntax.results)
      addResult(result);
  }

private:
  bool isArgument(std::string_view name) const {
    for (const ast::Arg &arg : syntax.args)
      if (arg.name.text == name)
        return true;
    return false;
  }

  void addDim(const ast::Name &name) {
    checkDimName(module, name);
    Dim *dim = module.tree.table.make(Dim::Kind::parameter, name.text, name.span);
    fn.dims.add(dim);
    out.dims.push_back(dim);
    module.mean<const Dim *>(name, dim);
  }

  void addArg(const ast::Arg &syntax) {
    ArgInfo arg;
    arg.name = syntax.name.text;
    arg.syntax = &syntax;
    arg.hasDefault = syntax.value != nullptr;
    checkName(module, fn.dims, syntax.name);
    if (syntax.type) {
      arg.type = readType(module, fn, *syntax.type, fn.dims);
      arg.variable = &module.tree.variables.emplace_back(syntax.name.text, syntax.name.span);
      module.tree.bindings[&syntax.name] = {arg.variable, true};
      for (const ast::TypeDim &dim : syntax.type->dims)
        if (const Dim *found = dim.optional ? fn.dims.find(dim.name.text) : nullptr)
          arg.optional.push_back(found);
      if (syntax.type->rest) {
        arg.rest = module.tree.table.make(Dim::Kind::rest, arg.name, *syntax.type->rest);
        arg.type.dims.insert(arg.type.dims.begin(), arg.rest);
      }
      out.known &= arg.type.known;
    } else {
      arg.isStatic = true;
      if (syntax.value)
        arg.fallback = evaluate(module, *syntax.value,
                                {nullptr, fn.library, nullptr, "",
                                 [this](std::string_view name) { return isArgument(name); }});
      out.known &= arg.fallback.kind != Static::Kind::unknown;
    }
    // What is wrong with the data would be wrong again wherever it is used.
    if (fn.kind == ast::FnKind::entry && !checkData(syntax))
      arg.type.known = out.known = false;
    out.args.push_back(std::move(arg));
  }

  /// The data of an entry has fixed dimensions, and the world gives all of it.
  bool checkData(const ast::Arg &arg) {
    auto fail = [&](Span place, std::string message, std::string help) {
      module.diagnostics.error(Code::E0210, place, std::move(message)).suggest(std::move(help));
      return false;
    };
    if (!arg.type)
      return fail(
          arg.name.span,
          fmt::format("`{}` of an entry comes from outside and needs a type", arg.name.text),
          fmt::format("make it an option: `option {0} = ...`, or data: `{0}: float`",
                      arg.name.text));
    if (arg.type->rest)
      return fail(*arg.type->rest, "the data of an entry has a fixed list of dimensions",
                  "name every dimension of it");
    for (const ast::TypeDim &dim : arg.type->dims)
      if (dim.optional)
        return fail(dim.name.span, "the data of an entry has a fixed list of dimensions",
                    fmt::format("files of different rank are different entries: write `{}`",
                                dim.name.text));
    return !arg.value || fail(arg.value->span, "the data of an entry has no default",
                              "let the body say it, or make a second entry without this argument");
  }

  /// A result's `..` is everything that the arguments' `..` bring.
  Type resultType(const ast::Type &syntax) {
    Type type = readType(module, fn, syntax, fn.dims);
    for (const ast::TypeDim &dim : syntax.dims)
      if (dim.optional)
        fail(dim.name.span, "a result has its dimensions or has them not",
             fmt::format("write `{}`", dim.name.text))
            .replace(withMark(dim.name.span), dim.name.text);
    if (!syntax.rest)
      return known(type);
    Dims rests;
    for (const ArgInfo &arg : out.args)
      if (arg.rest)
        rests.push_back(arg.rest);
    if (rests.empty()) {
      ast::Type named;
      named.element = syntax.element;
      named.dims = syntax.dims;
      fail(*syntax.rest, "no argument has a `..` that could be in this result",
           fmt::format("name every dimension of the result: `{}`", quote(named, "")))
          .replace(syntax.span, quote(named, ""));
      type.known = false;
    }
    type.dims.insert(type.dims.begin(), rests.begin(), rests.end());
    return known(type);
  }

  Type known(Type type) {
    out.known &= type.known;
    return type;
  }

  void addResult(const ast::Result &result) {
    checkName(module, fn.dims, result.name);
    out.results.emplace_back(&result, resultType(result.type));
  }

  /// With the `?` behind it.
  static Span withMark(Span name) { return {name.file, name.begin, name.end + 1}; }

  Diagnostic &fail(Span place, std::string message, std::string help) {
    return module.diagnostics.error(Code::E0215, place, std::move(message))
        .suggest(std::move(help));
  }

  Module &module;
  FunctionInfo &fn;
  const ast::Function &syntax;
  Signature &out;
};

} // namespace

void checkDimName(Module &module, const ast::Name &name) {
  for (std::string_view taken : {"float", "int", "bool", "training", "inf"})
    if (name.text == taken)
      module.diagnostics
          .error(Code::E0205, name.span, fmt::format("`{}` is a word of the language", taken))
          .suggest("a name means one thing: call the dimension something else");
}

void checkName(Module &module, const DimScope &dims, const ast::Name &name) {
  if (name.text == "training" || name.text == "inf") {
    module.diagnostics
        .error(Code::E0205, name.span,
               fmt::format("`{}` is {} of the language", name.text,
                           name.text == "inf" ? "a number" : "a switch"))
        .suggest("a name means one thing: call the value something else");
    return;
  }
  const Dim *dim = dims.find(name.text);
  if (!dim)
    return;
  module.diagnostics
      .error(Code::E0205, name.span, fmt::format("`{}` is already a dimension", name.text))
      .label(dim->place, "declared here")
      .suggest("a name means one thing: call the value something else");
}

/// What other languages call an element, in the words of this one; else nothing.
static std::string_view wordFor(std::string_view element) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"long", "int"},      {"integer", "int"},   {"int8", "int"},      {"int16", "int"},
      {"int32", "int"},     {"int64", "int"},     {"i32", "int"},       {"i64", "int"},
      {"double", "float"},  {"real", "float"},    {"number", "float"},  {"half", "float"},
      {"float16", "float"}, {"float32", "float"}, {"float64", "float"}, {"bfloat16", "float"},
      {"f32", "float"},     {"f64", "float"},     {"boolean", "bool"},  {"mask", "bool"}};
  for (auto [elsewhere, here] : words)
    if (elsewhere == element)
      return here;
  return {};
}

Type readType(Module &module, const FunctionInfo &fn, const ast::Type &syntax,
              const DimScope &scope) {
  constexpr size_t maxRank = 64;
  Type type;
  if (syntax.element) {
    const std::string &text = syntax.element->text;
    if (text == "int")
      type.element = Element::integer();
    else if (text == "bool")
      type.element = Element::boolean();
    else if (const Dim *dim = scope.find(text)) {
      type.element = Element::index(dim);
      module.mean(*syntax.element, dim);
    } else if (text != "float") {
      auto known = [&] {
        std::vector<std::string> names = scope.names();
        names.insert(names.end(), {"float", "int", "bool"});
        return names;
      };
      Diagnostic &problem = module.diagnostics.error(
          Code::E0202, syntax.element->span, fmt::format("unknown element type `{}`", text),
          "neither `float`, `int`, `bool` nor a dimension");
      if (std::string_view here = wordFor(text); !here.empty())
        problem.suggest(fmt::format("here it is called `{}`", here))
            .replace(syntax.element->span, std::string(here));
      else if (!module.suggest(problem, *syntax.element, known))
        problem.suggest(fmt::format("declare the dimension it is an index into: `dim {}`", text));
      type.known = false;
    }
  }
  if (syntax.dims.size() > maxRank) {
    module.diagnostics
        .error(Code::E0215, syntax.span, fmt::format("a value has at most {} dimensions", maxRank))
        .suggest("merge some of them: `x[(a, b) as c]`");
    return Type::unknown();
  }
  for (const ast::TypeDim &dim : syntax.dims) {
    const Dim *found = findDim(module, dim.name, scope);
    if (!found)
      type.known = false;
    else if (!contains(type.dims, found))
      type.dims.push_back(found);
  }
  return type;
}

void resolveSignatures(Module &module) {
  for (FunctionInfo &fn : module.tree.functions)
    if (fn.syntax)
      SignatureReader(module, fn).run();
}

} // namespace weft::sema
