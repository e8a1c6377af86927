// What a file has beside our parameters: sizes in its head, tensors that are computed, and others
// that are left out.
#include "frontend/weights/Plan.h"

#include "ir/model/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "ir/model/Entries.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft {
namespace {

/// Whether `name` is `pattern` with numbers for what stands in braces, and something for each `*`.
bool matches(StringRef name, StringRef pattern) {
  while (!pattern.empty()) {
    if (pattern.consume_front("*")) {
      for (size_t taken = 1; taken <= name.size(); ++taken)
        if (matches(name.drop_front(taken), pattern))
          return true;
      return false;
    }
    if (!pattern.starts_with("{")) {
      if (!name.consume_front(pattern.take_front()))
        return false;
      pattern = pattern.drop_front();
      continue;
    }
    StringRef rest = name.drop_while(llvm::isDigit);
    if (rest.size() == name.size())
      return false;
    name = rest;
    pattern = pattern.drop_until([](char c) { return c == '}'; }).drop_front();
  }
  return name.empty();
}

func::FuncOp functionOf(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (model::publicName(function) == entry)
      return function;
  return {};
}

} // namespace

const std::string *ForeignPlan::ignores(StringRef name) const {
  auto found = llvm::find_if(ignored, [&](const std::string &each) { return matches(name, each); });
  return found == ignored.end() ? nullptr : &*found;
}

/// What is left out may not be what is used: another model's tensors of the same kind would go
/// unseen, or the rule would do nothing.
bool ForeignPlan::addIgnored(const ast::IgnoreRule &rule, Diagnostics &diagnostics) {
  ignored.push_back(rule.foreign);
  bool hasStar = rule.foreign.find('*') != std::string::npos;
  auto isFree = [&](const ForeignTensor &tensor, std::string_view what) {
    if (!matches(tensor.name, rule.foreign))
      return true;
    diagnostics
        .error(Code::E0624, rule.foreignSpan,
               fmt::format("`{}` would leave out `{}`{}, which is {}`{}`", rule.foreign,
                           tensor.name, hasStar ? " too" : "", what,
                           tensor.parts.front().parameter))
        .suggest(hasStar ? "ignore only what lies beside it, by longer names"
                         : "leave the rule out, or have a clause for each of the two models");
    return false;
  };
  return llvm::all_of(all, [&](const ForeignTensor &tensor) { return isFree(tensor, ""); }) &&
         llvm::all_of(repeated,
                      [&](const ForeignCopy &copy) { return isFree(copy.tensor, "a copy of "); });
}

bool ForeignPlan::addSize(const ast::SizeRule &rule, ModuleOp module, Diagnostics &diagnostics) {
  model::Dims dims(module);
  ForeignSize size{rule.foreign, "", 1};
  for (const ast::Name &dim : rule.dims.dims) {
    std::optional<int64_t> fixed = dims.size(dim.text).constant();
    if (!fixed) {
      diagnostics
          .error(Code::E0625, dim.span, fmt::format("`{}` has no size before a run", dim.text))
          .suggest(fmt::format("give it one: `--set {}=8`", dim.text));
      return false;
    }
    size.value *= *fixed;
    size.dims += fmt::format("{}{} = {}", size.dims.empty() ? "" : ", ", dim.text, *fixed);
  }
  given.push_back(std::move(size));
  return true;
}

bool ForeignPlan::addComputed(const ast::ComputedRule &rule, ModuleOp module,
                              Diagnostics &diagnostics) {
  func::FuncOp function = functionOf(module, rule.entry.text);
  if (!function) { // this module has only another entry
    ignored.push_back(rule.foreign);
    return true;
  }
  auto fail = [&](Code code, std::string message, std::string help) {
    diagnostics.error(code, rule.foreignSpan, std::move(message)).suggest(std::move(help));
    return false;
  };
  auto isFree = [&](const ForeignTensor &tensor) {
    return tensor.name != rule.foreign ||
           fail(Code::E0621,
                fmt::format("`{}` and `{}` are both called `{}`", tensor.parts.front().parameter,
                            rule.entry.text, rule.foreign),
                "a tensor is a parameter or computed, not both");
  };
  if (!llvm::all_of(all, isFree) ||
      !llvm::all_of(repeated, [&](const ForeignCopy &copy) { return isFree(copy.tensor); }))
    return false;
  if (function.walk([](model::ParamOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return fail(Code::E0625, fmt::format("`{}` reads parameters", rule.entry.text),
                "what a file repeats of its own parameters is a copy: `copy \"name\" = table`");
  ForeignTable table{rule.foreign, function.getSymName().str(), rule.entry.text, {}};
  model::Dims dims(module);
  for (model::DimAttr dim :
       cast<model::NamedTensorType>(function.getResultTypes().front()).getDims()) {
    std::optional<int64_t> fixed = dims.fixed(dim);
    if (!fixed)
      return fail(Code::E0625,
                  fmt::format("`{}` of `{}` has no size before a run", dim.str(), rule.entry.text),
                  fmt::format("give it one: `--set {}=8`", dim.str()));
    table.shape.push_back(*fixed);
  }
  tables.push_back(std::move(table));
  return true;
}

bool ForeignPlan::addBeside(const ast::Weights &clause, ModuleOp module, Diagnostics &diagnostics) {
  bool fine = true;
  for (const ast::WeightRule &rule : clause.rules) {
    if (auto *ignore = std::get_if<ast::IgnoreRule>(&rule); ignore && !ignore->isOption)
      fine &= addIgnored(*ignore, diagnostics);
    if (auto *size = std::get_if<ast::SizeRule>(&rule))
      fine &= addSize(*size, module, diagnostics);
    if (auto *computed = std::get_if<ast::ComputedRule>(&rule))
      fine &= addComputed(*computed, module, diagnostics);
  }
  return fine;
}

} // namespace weft
