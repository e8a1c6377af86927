// The names of instances: labels, what unnamed ones bring, and collisions between them.
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Quote.h"

#include <cctype>
#include <fmt/format.h>

namespace weft::sema {

Child *BodyChecker::openRepeat(const ast::Repeat &loop, const Dim *along) {
  if (!claim(loop.dim.text, {loop.dim.span, branches, nullptr, along, false, nullptr}))
    return nullptr;
  // A second `repeat` over one dimension adds to the names of the first.
  std::vector<Child> &children = naming->children[loop.dim.text];
  for (Child &child : children)
    if (child.repeat == along) {
      child.open = true;
      return &child;
    }
  Child &child = children.emplace_back();
  child.place = loop.dim.span;
  child.repeat = along;
  child.inside = std::make_unique<Naming>();
  child.open = true;
  return &child;
}

void BodyChecker::closeRepeat(const ast::Repeat &loop, Child &child) {
  child.open = false;
  for (Claim &claim : naming->claims[loop.dim.text])
    if (claim.repeat == child.repeat)
      claim.stores |= child.inside->stores();
}

bool BodyChecker::claim(const std::string &name, Claim claim) {
  std::vector<Claim> &taken = naming->claims[name];
  for (const Claim &other : taken) {
    bool merged = claim.repeat && claim.repeat == other.repeat;
    if (merged || exclude(claim.branches, other.branches))
      continue;
    collision(name, other, claim);
    return false;
  }
  taken.push_back(std::move(claim));
  return true;
}

/// `RMSNorm` as `rms_norm`.
static std::string snakeCase(const std::string &name) {
  auto isUpper = [&](size_t i) {
    return i < name.size() && std::isupper(static_cast<unsigned char>(name[i]));
  };
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    bool startsWord = isUpper(i) && i > 0 && i + 1 < name.size() && !isUpper(i + 1);
    if (startsWord)
      out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return out;
}

void BodyChecker::collision(const std::string &name, const Claim &first, const Claim &second) {
  std::string_view kind = ast::spelling(fn.kind);
  const FunctionInfo *unnamed = second.unnamed ? second.unnamed : first.unnamed;
  std::string message;
  if (!unnamed)
    message = fmt::format("two things are called `{}` in one {}", name, kind);
  else if (first.unnamed == second.unnamed)
    message = fmt::format("two unnamed instances of `{}` in one {}", unnamed->name, kind);
  else
    message =
        fmt::format("the unnamed `{}` brings a second `{}` into one {}", unnamed->name, name, kind);
  auto &problem = error(Code::E0402, second.place, message, "second");
  problem.label(first.place, "first").note("they would have the same name in a checkpoint");
  const ast::Call *call =
      second.call && (second.unnamed || !first.unnamed) ? second.call : first.call;
  if (!call)
    return;
  std::string label = unnamed ? snakeCase(unnamed->name) : name;
  auto isTaken = [&](const std::string &candidate) {
    return naming->claims.count(candidate) || naming->values.count(candidate);
  };
  int number = first.unnamed == second.unnamed ? 2 : 1;
  while (isTaken(label + std::to_string(number)))
    ++number;
  label += std::to_string(number);
  problem.suggest(
      fmt::format("name it: `{}: {}{}(...)`", label, call->callee.text, quoteSlots(*call)));
  if (call->label)
    problem.replace(call->label->span, label);
  else
    problem.replace({call->callee.span.file, call->callee.span.begin, call->callee.span.begin},
                    label + ": ");
}

void BodyChecker::remember(const ast::Call &call, Instance instance, const ast::Name *label) {
  const FunctionInfo &callee = *instance.fn;
  Child child;
  child.place = call.callee.span;
  child.branches = branches;
  child.instance = std::move(instance);
  if (fn.kind == ast::FnKind::entry && callee.isBlock())
    label = nullptr; // entries share parameters, whatever their variables are called
  if (call.label) {
    label = &*call.label;
    module.mean(*label, &call);
  }
  child.label = label;
  if (label) {
    bool isNew = true;
    if (callee.isBlock() || call.label)
      isNew = claim(label->text,
                    {call.callee.span, branches, &call, nullptr, callee.naming.stores(), nullptr});
    if (isNew)
      naming->children[label->text].push_back(std::move(child));
    return;
  }
  naming->joined.push_back(std::move(child));
  for (const auto &[name, claims] : callee.naming.claims)
    for (const Claim &owned : claims)
      if (owned.stores) {
        if (!claim(name, {call.callee.span, branches, &call, nullptr, true, &callee}))
          return;
        break;
      }
}

} // namespace weft::sema
