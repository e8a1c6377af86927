// Solving the sizes of a run.
#include "runtime/model/Sizes.h"

#include "runtime/tensors/safetensors/Reader.h"

using namespace weft::runtime;

static constexpr int64_t unknown = -1;
static constexpr int64_t largest = INT32_MAX; // so every position is an int

Sizes::Sizes(const Facts &facts)
    : facts(&facts), sizes(facts.dims.size(), unknown), origins(facts.dims.size()) {
  for (size_t i = 0; i < facts.dims.size(); ++i)
    if (facts.dims[i].size) {
      sizes[i] = *facts.dims[i].size;
      origins[i] = "this build";
    }
}

Status Sizes::disagree(int dim, int64_t size, const std::string &origin) const {
  const Dimension &dimension = facts->dims[dim];
  const char *name = dimension.name.c_str();
  std::string fix =
      dimension.size ? text("; build with --set %s=%lld for another size", name, wide(size)) : "";
  return Error{Code::Size, text("%s: %s is %lld, but %s has %s = %lld%s", origin.c_str(), name,
                                wide(size), origins[dim].c_str(), name, wide(sizes[dim]),
                                (facts->place(dimension) + fix).c_str())};
}

Status Sizes::set(int dim, int64_t size, const std::string &origin) {
  const Dimension &dimension = facts->dims[dim];
  if (dimension.formula) {
    expected.push_back({dim, size, origin});
    return success();
  }
  if (sizes[dim] != unknown)
    return sizes[dim] == size ? success() : disagree(dim, size, origin);
  if (size < 1)
    return Error{Code::Size, text("%s: %s is %lld, expected at least 1", origin.c_str(),
                                  dimension.name.c_str(), wide(size))};
  if (size > largest)
    return Error{Code::Size, text("%s: %s is %lld, but the largest size is %lld", origin.c_str(),
                                  dimension.name.c_str(), wide(size), wide(largest))};
  sizes[dim] = size;
  origins[dim] = origin;
  return checkBound(dim);
}

Status Sizes::bind(const Argument &argument, const std::vector<int64_t> &shape,
                   const std::string &origin) {
  if (shape.size() != argument.dims.size())
    return Error{Code::Size, text("%s: has shape %s, expected %zu dimension%s: %s", origin.c_str(),
                                  shapeText(shape).c_str(), argument.dims.size(),
                                  argument.dims.size() == 1 ? "" : "s",
                                  facts->dimNames(argument.dims).c_str())};
  for (size_t i = 0; i < shape.size(); ++i)
    if (Status status = set(argument.dims[i], shape[i], origin); !status)
      return status;
  return success();
}

Status Sizes::checkBound(int dim) const {
  const Dimension &dimension = facts->dims[dim];
  if (!dimension.bound || sizes[dim] <= *dimension.bound)
    return success();
  const char *name = dimension.name.c_str();
  return Error{Code::Size,
               text("%s%s%s is %lld, this build allows %s <= %lld%s", origins[dim].c_str(),
                    origins[dim].empty() ? "" : ": ", name, wide(sizes[dim]), name,
                    wide(*dimension.bound), facts->place(dimension).c_str())};
}

Status Sizes::checkCount(const Argument &argument) const {
  int64_t bytes = footprintOf(argument.element).bytes; // more than there are, where it is a group's
  for (int dim : argument.dims)
    if (__builtin_mul_overflow(bytes, sizes[dim], &bytes))
      return Error{Code::Size, text("`%s` %s is too large for any machine: %s",
                                    argument.name.c_str(), facts->dimNames(argument.dims).c_str(),
                                    shapeText(shape(argument.dims)).c_str())};
  return success();
}

Status Sizes::refuse(const Entry &entry, const Obligation &what, CheckedSize left,
                     CheckedSize right) const {
  std::string said = entry.name + ": " + what.text;
  for (auto [place, size] : {std::pair<std::string_view, CheckedSize>("{left}", left),
                             std::pair<std::string_view, CheckedSize>("{right}", right)})
    if (size_t at = said.find(place); at != std::string::npos)
      said.replace(at, place.size(),
                   size.beyond ? "beyond 64 bits" : text("%lld", wide(size.value)));
  const char *between = "; ";
  for (int dim : what.dims)
    if (!origins[dim].empty()) {
      said += text("%s%s = %lld comes from %s", between, facts->dims[dim].name.c_str(),
                   wide(sizes[dim]), origins[dim].c_str());
      between = ", ";
    }
  return Error{Code::Size, said};
}

/// What decides the size of a dimension, which may be that one itself; nothing decides that of
/// none.
std::vector<int> Sizes::sourcesOf(int dim) const {
  if (dim < 0)
    return {};
  const std::optional<SizeFormula> &formula = facts->dims[dim].formula;
  return formula ? formula->dims() : std::vector<int>{dim};
}

Error Sizes::unknownIndex(const Argument &argument, int source) const {
  const char *name = facts->dims[source].name.c_str();
  std::string of = argument.index == source
                       ? "it"
                       : facts->dims[argument.index].name + ", which follows from it";
  return {Code::Size, text("the size of %s is not known: `%s` holds positions of %s, and no input "
                           "has it; say it with --set %s=N",
                           name, argument.name.c_str(), of.c_str(), name)};
}

/// What has no size here is 0: that no entry runs which needs it is checked behind.
void Sizes::derive() {
  for (size_t i = 0; i < sizes.size(); ++i)
    if (const std::optional<SizeFormula> &formula = facts->dims[i].formula) {
      CheckedSize size = formula->at(sizes.data());
      sizes[i] = size.beyond ? 0 : size.value;
    }
}

Status Sizes::checkObligations(const Entry &entry) const {
  auto holds = [](SizeRelation relation, int64_t left, int64_t right) {
    return relation == SizeRelation::AtMost  ? left <= right
           : relation == SizeRelation::Equal ? left == right
                                             : right > 0 && left % right == 0;
  };
  for (const Obligation &what : entry.obligations) {
    CheckedSize left = what.left.at(sizes.data()), right = what.right.at(sizes.data());
    if (left.beyond || right.beyond || !holds(what.relation, left.value, right.value))
      return refuse(entry, what, left, right);
  }
  return success();
}

Status Sizes::resolve(int number) {
  const Entry &entry = facts->entries[number];
  auto isUnknown = [&](int dim) { return sizes[dim] == unknown && !facts->dims[dim].formula; };
  for (const auto *list : {&entry.inputs, &entry.outputs})
    for (const Argument &argument : *list) {
      for (int dim : argument.dims)
        if (isUnknown(dim)) {
          const char *name = facts->dims[dim].name.c_str();
          return Error{Code::Size,
                       text("the size of %s is not known: `%s` %s needs it; say it with --set %s=N",
                            name, argument.name.c_str(), facts->dimNames(argument.dims).c_str(),
                            name)};
        }
      if (list == &entry.inputs)
        for (int dim : sourcesOf(argument.index))
          if (isUnknown(dim))
            return unknownIndex(argument, dim);
    }
  for (int64_t &size : sizes) // what another entry uses
    if (size == unknown)
      size = 0;
  derive();
  if (Status status = checkObligations(entry); !status)
    return status;
  for (const Expected &tensor : expected) {
    if (sizes[tensor.dimension] == tensor.size)
      continue;
    const char *name = facts->dims[tensor.dimension].name.c_str();
    return Error{Code::Size,
                 text("%s: %s is %lld, but the other sizes make it %lld%s", tensor.origin.c_str(),
                      name, wide(tensor.size), wide(sizes[tensor.dimension]),
                      facts->place(facts->dims[tensor.dimension]).c_str())};
  }
  for (const auto *list : {&entry.inputs, &entry.outputs})
    for (const Argument &argument : *list) {
      for (int dim : argument.dims)
        if (Status status = checkBound(dim); !status)
          return status;
      if (Status status = checkCount(argument); !status)
        return status;
    }
  return success();
}

std::vector<int64_t> Sizes::shape(const std::vector<int> &dims) const {
  std::vector<int64_t> out;
  for (int dim : dims)
    out.push_back(sizes[dim]);
  return out;
}

int64_t Sizes::count(const std::vector<int> &dims) const {
  int64_t product = 1;
  for (int dim : dims)
    product *= sizes[dim];
  return product;
}
