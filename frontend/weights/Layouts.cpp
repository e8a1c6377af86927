// Splits, picks and orders the dimensions of parameters as layouts say.
#include "frontend/weights/Layouts.h"

#include "frontend/weights/Origin.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

using namespace mlir;

namespace weft {
namespace {

/// The layout that a parameter has in the file, and whether it speaks of its block's dimensions.
struct Order {
  const std::vector<ast::Group> *axes = nullptr;
  const ast::OwnPart *part = nullptr; ///< whose picks come before it
  Span place;
  bool isBlocks = false;
};

class Layouter {
public:
  using Result = std::variant<std::vector<LaidOut>, LayoutProblem>;

  Layouter(const ast::Weights &clause, model::ParameterOp parameter, const ForeignName &name,
           const model::Dims &sizes)
      : clause(clause), parameter(parameter), name(name), sizes(sizes), origin(parameter) {
    part.parameter = parameter;
    for (const ForeignName::Use &use : name.uses) {
      part.renamed = use.rule;
      if (use.rule->along)
        part.together = use;
    }
    auto type = cast<model::NamedTensorType>(parameter.getType());
    int64_t stride = 1;
    for (model::DimAttr dim : llvm::reverse(type.getDims())) {
      own.insert(own.begin(), {dim.str(), *sizes.fixed(dim), stride});
      stride *= own.front().size;
    }
    for (model::DimAttr dim : type.getDims().take_front(parameter.getLoops()))
      loops.insert(dim.str());
    text = name.text;
  }

  Result run() {
    Order order = findOrder();
    for (const ForeignName::Use &use : name.uses)
      pick(*use.part);
    if (order.part)
      pick(*order.part);
    if (!problem && !chooseNumbers(order))
      return *problem;
    lay(order);
    if (problem)
      return *problem;
    return numbered();
  }

private:
  Result numbered() {
    std::vector<LaidOut> results;
    std::vector<int64_t> index(numbers.size(), 0);
    for (bool more = true; more;) {
      LaidOut one = part;
      one.name = text;
      for (size_t i = 0; i < numbers.size(); ++i) {
        one.first += index[i] * numbers[i].stride;
        std::string braces = "{" + numbers[i].name + "}", number = std::to_string(index[i]);
        for (size_t at; (at = one.name.find(braces)) != std::string::npos;)
          one.name.replace(at, braces.size(), number);
      }
      results.push_back(std::move(one));
      more = false;
      for (size_t d = numbers.size(); !more && d-- > 0;)
        if (!(more = ++index[d] < numbers[d].size))
          index[d] = 0;
    }
    return results;
  }

  void fail(Code code, Span place, std::string message, std::string note, std::string help) {
    if (!problem)
      problem = {code, place, std::move(message), std::move(note), std::move(help)};
  }

  /// A path's layout beats its block's; the longest path wins.
  Order findOrder() {
    std::vector<std::string> path = splitPath(parameter.getSymName().str());
    for (const ForeignName::Use &use : name.uses)
      if (use.isLast && use.rule->layout)
        return {&*use.rule->layout, nullptr, use.part->path.span, false};
    Order best;
    size_t length = 0;
    for (const ast::WeightRule &rule : clause.rules) {
      auto *layout = std::get_if<ast::LayoutRule>(&rule);
      if (!layout)
        continue;
      std::vector<std::string> names = texts(layout->part.path);
      Order found{&layout->layout, &layout->part, layout->part.path.span, false};
      if (names.size() == 2 && names[0] == origin.block && names[1] == path.back()) {
        found.isBlocks = true;
        if (!best.axes)
          best = found;
      } else if (names.size() <= path.size() &&
                 std::equal(names.rbegin(), names.rend(), path.rbegin()) && names.size() > length) {
        best = found;
        length = names.size();
      }
    }
    return best;
  }

  std::vector<OwnDim>::iterator find(const std::string &dim) {
    return llvm::find_if(own, [&](const OwnDim &each) { return each.name == dim; });
  }

  void pick(const ast::OwnPart &picked) {
    for (const ast::Pick &each : picked.picks)
      if (auto *as = std::get_if<ast::Rename>(&each))
        split(*as);
      else
        take(std::get<ast::At>(each));
  }

  /// `dh as (half, freq)`: the checker has seen that the sizes agree.
  void split(const ast::Rename &as) {
    auto from = find(as.from.dims.front().text);
    if (from == own.end())
      return;
    OwnDim whole = *from;
    std::vector<OwnDim> pieces;
    std::vector<std::string> names;
    int64_t stride = whole.stride;
    for (const ast::Name &to : llvm::reverse(as.to.dims)) {
      OwnDim piece{to.text, sizes.size(to.text).constant().value_or(0), stride};
      stride *= piece.size;
      pieces.insert(pieces.begin(), piece);
      names.insert(names.begin(), to.text);
    }
    if (stride != whole.stride * whole.size)
      return fail(Code::E0620, as.to.span,
                  fmt::format("`{}` has {} positions, these have {}", whole.name, whole.size,
                              whole.stride ? stride / whole.stride : 0),
                  "", "split it into dimensions whose sizes multiply to its own");
    own.insert(own.erase(from), pieces.begin(), pieces.end());
    replaceInSlots(whole.name, names);
  }

  /// `role = 0`, or `rows = gate` of a dimension made of parts.
  void take(const ast::At &at) {
    auto dim = find(at.dim.text);
    if (dim == own.end())
      return;
    part.part += (part.part.empty() ? "" : ", ") + at.dim.text + " = " + ast::dump(*at.index);
    if (auto *number = std::get_if<ast::Number>(&at.index->node)) {
      if (number->integer >= dim->size)
        return fail(Code::E0609, at.index->span,
                    fmt::format("`{}` has {} positions, from 0", dim->name, dim->size), "",
                    fmt::format("the last one is {}", dim->size - 1));
      part.first += number->integer * dim->stride;
      replaceInSlots(dim->name, {});
      own.erase(dim);
      return;
    }
    std::string wanted = std::get<ast::Variable>(at.index->node).name.text;
    for (model::DimOp declared : sizes.declared())
      if (declared.getSymName() == dim->name && declared.getPartsAttr())
        for (model::DimAttr each : declared.getPartsAttr().getValue()) {
          int64_t size = *sizes.fixed(each);
          if (each.getValue() == wanted) {
            replaceInSlots(dim->name, {wanted});
            dim->name = wanted;
            dim->size = size;
            return;
          }
          part.first += size * dim->stride;
        }
  }

  void replaceInSlots(const std::string &dim, const std::vector<std::string> &with) {
    for (Slot &slot : origin.slots)
      if (auto at = llvm::find(slot.dims, dim); at != slot.dims.end()) {
        slot.dims.insert(slot.dims.erase(at), with.begin(), with.end());
        return;
      }
  }

  static bool lists(const Order &order, const std::string &dim) {
    return order.axes && llvm::any_of(*order.axes, [&](const ast::Group &group) {
             return llvm::any_of(group.dims, [&](const ast::Name &n) { return n.text == dim; });
           });
  }

  /// Which dimensions stand in the name as numbers: those of loops, unless the layout lists them,
  /// and what the clause put in braces.
  bool chooseNumbers(const Order &order) {
    for (const std::string &loop : loops) {
      bool isListed = lists(order, loop);
      if (isListed && name.written.contains(loop))
        fail(
            Code::E0621, order.place,
            fmt::format("`{0}` is in the layout, and `{{{0}}}` in the name `{1}`", loop, name.text),
            "", "one tensor holds every pass, or one each: leave out one of the two");
      else if (!isListed && llvm::is_contained(name.unnumbered, loop))
        fail(Code::E0621, part.renamed->foreignSpan,
             fmt::format("`{}` is one tensor, but `{}` is one for each `{}`", name.text,
                         parameter.getSymName().str(), loop),
             "",
             fmt::format("list `{0}` in its layout, or write `{{{0}}}` where its number goes",
                         loop));
      if (std::string number = ".{" + loop + "}"; isListed && text.find(number) != text.npos)
        text.erase(text.find(number), number.size());
    }
    for (size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
      std::string dim = text.substr(open + 1, text.find('}', open) - open - 1);
      if (auto found = find(dim); found != own.end()) {
        numbers.push_back(*found);
        replaceInSlots(dim, {});
        own.erase(found);
      }
    }
    return !problem;
  }

  void lay(const Order &order) {
    if (!order.axes)
      return layAsDeclared();
    std::vector<std::string> left, given;
    for (const OwnDim &dim : own)
      left.push_back(dim.name);
    bool isAlong = false;
    bool isElsewhere = false; // the axis is that of a repeat which this parameter is not in
    auto add = [&](std::vector<OwnDim> &axis, const std::string &dim) {
      if (auto found = find(dim); found != own.end()) {
        axis.push_back(*found);
        given.push_back(dim);
      } else if (sizes.has(dim) &&
                 (sizes.size(dim).constant() != 1 || isRepeated(dim, parameter))) {
        isElsewhere = order.isBlocks;
        if (!order.isBlocks)
          given.push_back(dim);
      }
    };
    for (const ast::Group &group : *order.axes) {
      std::vector<OwnDim> axis;
      isElsewhere = false;
      for (const ast::Name &each : group.dims) {
        auto slot = llvm::find_if(origin.slots, [&](const Slot &s) { return s.name == each.text; });
        if (part.together && each.text == part.together->rule->along->text) {
          axis.push_back({});
          isAlong = true;
        } else if (order.isBlocks && slot != origin.slots.end()) {
          for (const std::string &dim : slot->dims)
            add(axis, dim);
        } else {
          add(axis, each.text);
        }
      }
      if (!axis.empty() || !isElsewhere)
        part.axes.push_back(std::move(axis));
    }
    bool isConcat = part.together && part.together->rule->together == ast::Together::concat;
    if (isConcat && isAlong)
      for (const OwnDim &dim : own)
        if (!llvm::is_contained(given, dim.name)) {
          part.inner.push_back(dim);
          given.push_back(dim.name);
        }
    std::vector<std::string> sorted = given, wanted = left;
    llvm::sort(sorted);
    llvm::sort(wanted);
    if (sorted != wanted)
      return fail(Code::E0620, order.place,
                  fmt::format("the layout does not have the dimensions of `{}`",
                              parameter.getSymName().str()),
                  fmt::format("expected [{}] in some order\n   found [{}]", fmt::join(left, ", "),
                              fmt::join(given, ", ")),
                  "list each of its dimensions once, in the order of the file");
    if (part.together && !isAlong)
      putTogether();
  }

  /// In the order of the declaration, a slot an axis; what no slot has was picked or numbered.
  void layAsDeclared() {
    for (const Slot &slot : origin.slots) {
      std::vector<OwnDim> axis;
      for (const std::string &dim : slot.dims)
        axis.push_back(*find(dim));
      if (!axis.empty())
        part.axes.push_back(std::move(axis));
    }
    if (origin.slots.empty()) // made by hand
      for (const OwnDim &dim : own)
        part.axes.push_back({dim});
    demandOrder();
    if (part.together)
      putTogether();
  }

  /// Where two axes are as long, no shape tells which comes first, and it is for the clause to say.
  void demandOrder() {
    std::map<int64_t, std::string> bySize;
    for (const std::vector<OwnDim> &axis : part.axes) {
      int64_t size = 1;
      std::vector<std::string> names;
      for (const OwnDim &dim : axis) {
        size *= dim.size;
        names.push_back(dim.name);
      }
      std::string text = fmt::format("{}", fmt::join(names, ", "));
      if (names.size() > 1)
        text = "(" + text + ")";
      auto [other, isNew] = bySize.try_emplace(size, text);
      if (size == 1 || isNew || clause.name.text.empty()) // our own layouts need no clause
        continue;
      std::string path = parameter.getSymName().str();
      return fail(
          Code::E0620, part.renamed ? part.renamed->foreignSpan : clause.name.span,
          fmt::format("`{}` and `{}` of `{}` are both {} long, and nothing says which of the "
                      "two comes first in the file",
                      other->second, text, path, size),
          "transposed, it would have the same shape", orders());
    }
  }

  /// Layouts that say the order, as they would stand in the clause.
  std::string orders() {
    std::vector<std::string> path = splitPath(parameter.getSymName().str()), dims, slots;
    bool isOwn = true; // the block calls its dimensions what the program calls them
    for (const Slot &slot : origin.slots) {
      if (slot.dims.empty())
        continue;
      slots.push_back(slot.name);
      isOwn &= slot.dims.size() == 1 && slot.dims.front() == slot.name;
    }
    if (slots.empty() || isOwn || origin.block.empty()) {
      for (const std::vector<OwnDim> &axis : part.axes)
        for (const OwnDim &dim : axis)
          dims.push_back(dim.name);
      return fmt::format("say it: `{}: [{}]`, or another order", fmt::join(path, "."),
                         fmt::join(dims, ", "));
    }
    std::vector<std::string> turned(slots.rbegin(), slots.rend());
    return fmt::format("say it: `{0}.{1}: [{2}]` as here, or `{0}.{1}: [{3}]`", origin.block,
                       path.back(), fmt::join(slots, ", "), fmt::join(turned, ", "));
  }

  /// Without a layout that says so, several lie beside each other along the first axis.
  void putTogether() {
    if (part.axes.empty())
      part.axes.emplace_back();
    std::vector<OwnDim> &first = part.axes.front();
    if (part.together->rule->together == ast::Together::concat) {
      part.inner = std::move(first);
      first = {OwnDim()};
    } else {
      first.insert(first.begin(), OwnDim());
    }
  }

  const ast::Weights &clause;
  model::ParameterOp parameter;
  const ForeignName &name;
  const model::Dims &sizes;
  Origin origin;
  std::vector<OwnDim> own, numbers;
  std::set<std::string> loops;
  std::string text;
  LaidOut part;
  std::optional<LayoutProblem> problem;
};

} // namespace

std::variant<std::vector<LaidOut>, LayoutProblem> laidOut(const ast::Weights &clause,
                                                          model::ParameterOp parameter,
                                                          const ForeignName &name,
                                                          const model::Dims &sizes) {
  return Layouter(clause, parameter, name, sizes).run();
}

} // namespace weft
