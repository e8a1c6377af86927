// Comparing signatures: what may stand in the place of a function that is a default.
#include "frontend/semantics/Replacement.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

namespace {

/// The signatures of a default and of what shall replace it.
class Comparison {
public:
  Comparison(const Signature &wanted, const Signature &found) : wanted(wanted), found(found) {
    for (size_t i = 0; i < std::min(wanted.dims.size(), found.dims.size()); ++i)
      counterparts[found.dims[i]] = wanted.dims[i];
  }

  std::string run(const SlotUse &use) {
    if (wanted.dims.size() != found.dims.size())
      return fmt::format("it takes {} dimensions, not {}", found.dims.size(), wanted.dims.size());
    std::vector<const ArgInfo *> given = data(found), expected = data(wanted);
    if (given.size() != expected.size())
      return fmt::format("it takes {} tensors, not {}", given.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      if (std::string why = differs(*expected[i], *given[i], use); !why.empty())
        return why;
    for (const std::string &name : use.named)
      if (!has(name))
        return fmt::format("it has no argument `{}`, which a call passes", name);
    if (!same(wanted.result, found.result, {}, {}))
      return fmt::format("it gives {}, not {}", show(found.result), show(wanted.result));
    return "";
  }

private:
  static std::vector<const ArgInfo *> data(const Signature &signature) {
    std::vector<const ArgInfo *> out;
    for (const ArgInfo &arg : signature.args)
      if (!arg.isStatic)
        out.push_back(&arg);
    return out;
  }

  std::string differs(const ArgInfo &expected, const ArgInfo &given, const SlotUse &use) {
    if (!same(expected.type, given.type, expected.optional, given.optional))
      return fmt::format("its `{}` is {}, not {}", given.name, show(given.type),
                         show(expected.type));
    if (expected.hasDefault && !given.hasDefault)
      return fmt::format("its `{}` has no default", given.name);
    if (use.named.count(expected.name) && expected.name != given.name)
      return fmt::format("it has no argument `{}`, which a call passes", expected.name);
    return "";
  }

  bool has(const std::string &name) const {
    auto find = [&](const Signature &signature) {
      return std::find_if(signature.args.begin(), signature.args.end(),
                          [&](const ArgInfo &arg) { return arg.name == name; });
    };
    auto expected = find(wanted), given = find(found);
    if (given == found.args.end() || expected == wanted.args.end())
      return false;
    // Untyped ones may be passed by place.
    return !expected->isStatic ||
           (given->isStatic && given->fallback.kind == expected->fallback.kind &&
            expected - wanted.args.begin() == given - found.args.begin());
  }

  const Dim *counterpart(const Dim *dim) const {
    auto it = counterparts.find(dim);
    return it == counterparts.end() ? dim : it->second;
  }

  bool same(const Type &expected, const Type &given, const Dims &expectedOptional,
            const Dims &givenOptional) const {
    Element element = given.element;
    element.dim = counterpart(element.dim);
    return expected.element == element && same(expected.dims, given.dims) &&
           same(expectedOptional, givenOptional);
  }

  bool same(const Dims &expected, const Dims &given) const {
    Dims renamed;
    for (const Dim *dim : given)
      renamed.push_back(counterpart(dim));
    return beyond(expected, renamed).empty() && beyond(renamed, expected).empty();
  }

  const Signature &wanted, &found;
  std::map<const Dim *, const Dim *> counterparts;
};

} // namespace

std::string mismatch(const FunctionInfo &wanted, const FunctionInfo &found, const SlotUse &use) {
  if (&wanted == &found || !wanted.signature.known || !found.signature.known)
    return "";
  if (found.isBlock() && !wanted.isBlock())
    return "it is a block, which owns parameters";
  const Signature &slots = wanted.signature, &others = found.signature;
  for (size_t i = 0; i < std::min(slots.dims.size(), others.dims.size()); ++i)
    if (auto one = found.single.find(others.dims[i]);
        one != found.single.end() && !wanted.single.contains(slots.dims[i]))
      return fmt::format("its `{}` is one dimension, for {}", others.dims[i]->name, one->second);
  return Comparison(slots, others).run(use);
}

} // namespace weft::sema
