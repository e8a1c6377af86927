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
    std::vector<const ArgInfo *> theirs = data(found), ours = data(wanted);
    if (theirs.size() != ours.size())
      return fmt::format("it takes {} tensors, not {}", theirs.size(), ours.size());
    for (size_t i = 0; i < ours.size(); ++i)
      if (std::string why = differs(*ours[i], *theirs[i], use); !why.empty())
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

  std::string differs(const ArgInfo &ours, const ArgInfo &theirs, const SlotUse &use) {
    if (!same(ours.type, theirs.type, ours.optional, theirs.optional))
      return fmt::format("its `{}` is {}, not {}", theirs.name, show(theirs.type), show(ours.type));
    if (ours.hasDefault && !theirs.hasDefault)
      return fmt::format("its `{}` has no default", theirs.name);
    if (use.named.count(ours.name) && ours.name != theirs.name)
      return fmt::format("it has no argument `{}`, which a call passes", ours.name);
    return "";
  }

  bool has(const std::string &name) const {
    auto find = [&](const Signature &signature) {
      return std::find_if(signature.args.begin(), signature.args.end(),
                          [&](const ArgInfo &arg) { return arg.name == name; });
    };
    auto ours = find(wanted), theirs = find(found);
    if (theirs == found.args.end() || ours == wanted.args.end())
      return false;
    // Untyped ones may be passed by place.
    return !ours->isStatic || (theirs->isStatic && theirs->fallback.kind == ours->fallback.kind &&
                               ours - wanted.args.begin() == theirs - found.args.begin());
  }

  const Dim *counterpart(const Dim *dim) const {
    auto it = counterparts.find(dim);
    return it == counterparts.end() ? dim : it->second;
  }

  bool same(const Type &ours, const Type &theirs, const Dims &ourOptional,
            const Dims &theirOptional) const {
    Element element = theirs.element;
    element.dim = counterpart(element.dim);
    return ours.element == element && same(ours.dims, theirs.dims) &&
           same(ourOptional, theirOptional);
  }

  bool same(const Dims &ours, const Dims &theirs) const {
    Dims renamed;
    for (const Dim *dim : theirs)
      renamed.push_back(counterpart(dim));
    return beyond(ours, renamed).empty() && beyond(renamed, ours).empty();
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
