// Literal tensors: from JSON to rows of numbers, and to what a program reads.
#include "runtime/program/run/Literal.h"
#include "runtime/base/Json.h"
#include "runtime/tensors/Shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace weft::runtime;

namespace {

/// Collects the numbers of nested lists, and the lengths of the first list of each depth.
class Flattening {
public:
  explicit Flattening(Literal &into) : into(into) {}

  Status list(const Json &value, size_t depth) {
    if (value.is_array() && value.empty())
      return wrong("is an empty list");
    if (depth == into.shape.size()) {
      if (!leaves && value.is_array())
        into.shape.push_back(static_cast<int64_t>(value.size()));
      else
        return number(value);
    }
    if (!value.is_array())
      return wrong("is no list, as others beside it are");
    if (static_cast<int64_t>(value.size()) != into.shape[depth])
      return wrong(text("has length %lld, others beside it %lld", wide(value.size()),
                        wide(into.shape[depth]))
                       .c_str());
    for (size_t i = 0; i < value.size(); ++i) {
      place.push_back(static_cast<int64_t>(i));
      if (Status status = list(value[i], depth + 1); !status)
        return status;
      place.pop_back();
    }
    return success();
  }

private:
  Status number(const Json &value) {
    leaves = true;
    Literal::Kind kind = Literal::Kind::Numbers;
    double read = 0;
    if (value.is_boolean()) {
      kind = Literal::Kind::Switches;
      read = value.get<bool>();
    } else if (value.is_number()) {
      read = value.get<double>();
      kind = std::floor(read) == read ? Literal::Kind::Wholes : kind;
    } else if (value == "inf" || value == "-inf") {
      read = value == "inf" ? HUGE_VAL : -HUGE_VAL;
    } else if (value == "nan") {
      read = std::numeric_limits<double>::quiet_NaN();
    } else {
      return wrong(value.is_array() ? "is a list, others beside it are not" : "is no number");
    }
    bool isSwitch = kind == Literal::Kind::Switches;
    if (!into.values.empty() && isSwitch != (into.kind == Literal::Kind::Switches))
      return wrong(isSwitch ? "is true or false, others beside it are numbers"
                            : "is a number, others beside it are true or false");
    into.kind = std::max(into.kind, kind);
    into.values.push_back(read);
    return success();
  }
  Status wrong(const char *what) const {
    std::string at = place.empty() ? "it" : "element " + shapeText(place);
    return Error{Code::Value, text("--input %s: %s %s", into.name.c_str(), at.c_str(), what)};
  }

  Literal &into;
  std::vector<int64_t> place;
  bool leaves = false; // a number was read: lists cannot become deeper
};

Status cannotHold(const Literal &literal, size_t at, const char *what) {
  std::string position = positionText(literal.shape, static_cast<int64_t>(at));
  double value = literal.values[at];
  std::string given = literal.kind == Literal::Kind::Switches ? (value != 0 ? "true" : "false")
                                                              : text("%.15g", value);
  return Error{Code::Value, text("--input %s: %s at %s %s", literal.name.c_str(), given.c_str(),
                                 position.c_str(), what)};
}

} // namespace

Result<Literal> weft::runtime::readLiteral(const std::string &given) {
  size_t equals = given.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{
        Code::Usage,
        text("--input %s: expected NAME=VALUE, as in --input 'q=[[1, 0], [0, 1]]'", given.c_str())};
  Literal literal;
  literal.name = given.substr(0, equals);
  Result<Json> value = readJson(std::string_view(given).substr(equals + 1));
  if (!value)
    return Error{Code::Value, text("--input %s: %s: expected a number, or lists of numbers as in "
                                   "[[1, 0], [0, 1]]",
                                   literal.name.c_str(), value.error().message.c_str())};
  if (Status status = Flattening(literal).list(*value, 0); !status)
    return status.error();
  return literal;
}

Result<std::vector<Literal>> weft::runtime::readLiterals(const std::vector<std::string> &given) {
  std::vector<Literal> literals;
  for (const std::string &each : given) {
    Result<Literal> literal = readLiteral(each);
    if (!literal)
      return literal.error();
    for (const Literal &other : literals)
      if (other.name == literal->name)
        return Error{Code::Usage, text("--input %s: given twice", literal->name.c_str())};
    literals.push_back(std::move(*literal));
  }
  return literals;
}

Status weft::runtime::fits(const Literal &literal, const Argument &argument) {
  bool isSwitches = literal.kind == Literal::Kind::Switches;
  for (size_t i = 0; i < literal.values.size(); ++i) {
    double value = literal.values[i];
    switch (argument.element) {
    case Element::Bool:
      if (value != 0 && value != 1)
        return cannotHold(literal, i, "is neither true nor false");
      break;
    case Element::Int:
      if (isSwitches)
        return cannotHold(literal, i, "stands where a whole number is wanted");
      if (std::floor(value) != value)
        return cannotHold(literal, i, "is not a whole number");
      if (value < INT32_MIN || value > INT32_MAX)
        return cannotHold(literal, i, "is not from -2147483648 to 2147483647, as int32 is");
      break;
    case Element::Float:
    case Element::BFloat16:
    case Element::GroupedInt8:
      if (isSwitches)
        return cannotHold(literal, i, "stands where a number is wanted");
      if (std::isfinite(value) && !std::isfinite(static_cast<float>(value)))
        return cannotHold(literal, i, "is more than float32 can hold");
      break;
    }
  }
  return success();
}

Status weft::runtime::store(const Literal &literal, const Argument &argument, void *target) {
  if (Status status = fits(literal, argument); !status)
    return status;
  if (argument.element == Element::GroupedInt8) {
    std::vector<float> values(literal.values.begin(), literal.values.end());
    grouped::store(values.data(), static_cast<int64_t>(values.size()), target);
    return success();
  }
  for (size_t i = 0; i < literal.values.size(); ++i)
    switch (argument.element) {
    case Element::GroupedInt8:
      break;
    case Element::Bool:
      static_cast<char *>(target)[i] = literal.values[i] != 0;
      break;
    case Element::Int:
      static_cast<int32_t *>(target)[i] = static_cast<int32_t>(literal.values[i]);
      break;
    case Element::Float:
      static_cast<float *>(target)[i] = static_cast<float>(literal.values[i]);
      break;
    case Element::BFloat16:
      static_cast<uint16_t *>(target)[i] = narrowed(static_cast<float>(literal.values[i]));
      break;
    }
  return success();
}
