// Entries: a function each, with the names and orders that the world sees.
#include "ir/model/Entries.h"
#include "frontend/lower/body/Demanding.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

Builder::Builder(Session &session, bool training)
    : session(session), training(training), builder(session.module.getContext()) {
  builder.setInsertionPointToEnd(session.module.getBody());
}

static DictionaryAttr called(OpBuilder &builder, StringRef name) {
  return builder.getDictionaryAttr(
      builder.getNamedAttr(model::attr::name, builder.getStringAttr(name)));
}

/// The data arguments of an entry become the function's.
Scope Builder::openEntry(const sema::FunctionInfo &entry, func::FuncOp function) {
  Scope scope;
  scope.frame.wanted = pathsIn(entry.syntax->body);
  SmallVector<Type> types;
  SmallVector<Attribute> named;
  Block *block = builder.createBlock(&function.getBody());
  for (const sema::ArgInfo &arg : entry.signature.args) {
    model::NamedTensorType type = this->type(arg.type, scope);
    for (DimAttr dim : type.getDims())
      reads.given.insert(dim.str());
    types.push_back(type);
    named.push_back(called(builder, arg.name));
    Tensor x{block->addArgument(type, at(arg.syntax->name.span, arg.name))};
    scope.values[arg.variable] = x;
    scope.frame.node->values[arg.name] = x;
  }
  function.setFunctionType(builder.getFunctionType(types, {}));
  function.setArgAttrsAttr(builder.getArrayAttr(named));
  builder.setInsertionPointToEnd(block);
  return scope;
}

/// The results, in the order of dimensions that the entry declares; then what is probed.
bool Builder::closeEntry(const sema::FunctionInfo &entry, func::FuncOp function, Scope &scope,
                         Tensor value, ArrayRef<Names> probes) {
  SmallVector<Type> types;
  SmallVector<Attribute> named;
  SmallVector<Value> values;
  auto add = [&](const std::string &name, Span place, const sema::Type &declared, Tensor x) {
    model::NamedTensorType type = this->type(declared, scope);
    if (!type.isFloat() && !isInt(x, place))
      return false;
    types.push_back(type);
    values.push_back(conform(x, type, at(place, name)).value);
    named.push_back(called(builder, name));
    return true;
  };
  const ast::Function &syntax = *entry.syntax;
  if (syntax.result && !add("output", syntax.result->span, entry.signature.result, value))
    return false;
  for (const auto &[result, type] : entry.signature.results) {
    auto *variable = std::get<const sema::Variable *>(session.meaning(result->name));
    if (!add(result->name.text, result->type.span, type, scope.values.at(variable)))
      return false;
  }
  for (const Names &path : probes)
    if (Tensor x = find(*scope.frame.node, path); x && answered.insert(path).second) {
      types.push_back(x.type());
      values.push_back(x.value);
      named.push_back(called(builder, fmt::format("{}", fmt::join(path, "."))));
    }
  func::ReturnOp::create(builder, at(syntax.name.span), values);
  function.setFunctionType(builder.getFunctionType(function.getFunctionType().getInputs(), types));
  function.setResAttrsAttr(builder.getArrayAttr(named));
  return true;
}

/// The dimensions of every value in `function`.
static llvm::SetVector<DimAttr> dimsOf(func::FuncOp function) {
  llvm::SetVector<DimAttr> dims;
  auto add = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<model::NamedTensorType>(type))
        dims.insert(tensor.getDims().begin(), tensor.getDims().end());
  };
  add(function.getArgumentTypes());
  function.walk([&](Operation *op) { add(op->getResultTypes()); });
  return dims;
}

/// A run-time dimension gets its size from an argument; one that no argument has cannot be known.
bool Builder::everySizeIsGiven(const ast::Function &entry, func::FuncOp function) {
  std::set<std::string> given;
  for (Type type : function.getArgumentTypes())
    for (DimAttr dim : cast<model::NamedTensorType>(type).getDims())
      given.insert(dim.str());
  auto missing = [&](const std::string &name) {
    if (given.contains(name))
      return false;
    auto &problem =
        error(Code::E0605, entry.name.span,
              fmt::format("nothing gives `{}` a size in entry `{}`", name, entry.name.text));
    if (const Dimension *dim = session.configuration.dim(name))
      problem.label(dim->definition->span, "no argument has it");
    problem.suggest(fmt::format("set it in a config or with `--set {}=…`", name));
    return true;
  };
  bool fine = true;
  std::set<std::string> asked;
  for (DimAttr dim : dimsOf(function))
    if (!session.dims.size(dim).number)
      for (const std::string &name : session.dims.sources(dim))
        if (asked.insert(name).second)
          fine &= !missing(name);
  function.walk([&](model::SizeOp op) {
    for (const std::string &dim : op.getSize().getValue().dims())
      for (const std::string &name : session.dims.sources(DimAttr::get(builder.getContext(), dim)))
        if (asked.insert(name).second)
          fine &= !missing(name);
  });
  return fine;
}

func::FuncOp Builder::entry(const sema::FunctionInfo &entry, const std::string &name,
                            ArrayRef<Names> probes) {
  const ast::Function &syntax = *entry.syntax;
  auto function = func::FuncOp::create(builder, at(syntax.name.span, name), name,
                                       builder.getFunctionType({}, {}));
  function->setAttr(model::attr::entry, builder.getStringAttr(name));
  function->setAttr(model::attr::kind, builder.getStringAttr("plain"));
  Scope scope = openEntry(entry, function);
  operations = 0;
  root = scope.frame.node;
  answered.clear();
  llvm::append_range(scope.frame.wanted, probes);
  building = name;
  std::optional<Tensor> value;
  {
    Demanding demanding(*this, syntax.annotations);
    value = body(syntax.body, scope, {syntax.result ? "output" : "", false});
  }
  if (!value || !writeStates(scope, syntax.name.span) ||
      !closeEntry(entry, function, scope, *value, probes) || !everySizeIsGiven(syntax, function))
    return {};
  return function;
}

} // namespace weft::lower
