// Choosing values and dimensions, binding names, ending a body.
#include "Body.h"

#include <algorithm>

namespace weft::hunter {

bool Value::has(const std::string &dim) const {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

Names joined(const Names &a, const Names &b) {
  Names result = a;
  for (const std::string &name : b)
    if (std::find(a.begin(), a.end(), name) == a.end())
      result.push_back(name);
  return result;
}

Names without(const Names &names, const Names &dropped) {
  Names result;
  for (const std::string &name : names)
    if (std::find(dropped.begin(), dropped.end(), name) == dropped.end())
      result.push_back(name);
  return result;
}

bool within(const Names &some, const Names &all) {
  return without(some, all).empty();
}

std::string list(const Names &names) {
  std::string result;
  for (const std::string &name : names)
    result += (result.empty() ? "" : ", ") + name;
  return result;
}

std::string typeText(const std::string &element, const Names &dims) {
  if (dims.empty())
    return element.empty() ? "float" : element;
  return element + "[" + list(dims) + "]";
}

bool Body::fits(const Names &names) const {
  return names.size() <= 5 && dims.count(names) <= whole.most;
}

/// A value of a kind that has all of `wanted` and none of `unwanted`: sooner a late or unused one.
Value *Body::any(bool (Value::*is)() const, const Names &wanted, const Names &unwanted) {
  std::vector<std::pair<Value *, double>> found;
  double total = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    Value &value = values[i];
    if (!(value.*is)() || !within(wanted, value.dims) ||
        without(value.dims, unwanted).size() != value.dims.size())
      continue;
    double weight = (value.used ? 1 : 3) * double(2 + i);
    total += weight;
    found.push_back({&value, weight});
  }
  double at = numbers.unit() * total;
  for (auto &[value, weight] : found)
    if ((at -= weight) < 0)
      return value;
  return found.empty() ? nullptr : found.back().first;
}

Value *Body::floats(const Names &wanted, const Names &unwanted) {
  return any(&Value::isFloat, wanted, unwanted);
}

std::string Body::dim(const Value &value, bool fixed) {
  Names names;
  for (const std::string &name : value.dims)
    if ((!fixed || dims[name].fixed) && !(causal && name == "s"))
      names.push_back(name);
  return names.empty() ? "" : one(numbers, names);
}

/// A dimension known when the program is built that is not among `taken`.
std::string Body::fresh(const Names &taken) {
  Names names;
  for (const char *name : {"m", "f", "e", "h", "d", "g", "v", "m2", "f2", "tri"})
    if (within({name}, taken) == false)
      names.push_back(name);
  return names.empty() ? "" : one(numbers, names);
}

Value *Body::bind(const std::string &expression, const std::string &element, const Names &over,
                  std::initializer_list<Value *> used) {
  if (!fits(over))
    return nullptr;
  for (Value *value : used)
    value->used = true;
  std::string made = name("x");
  line(made + " = " + expression);
  if (values.size() == values.capacity()) // pointers to values live on in the callers
    values.reserve(2 * values.size() + 64);
  values.push_back({made, element, over});
  return &values.back();
}

Value *Body::parameter(const Names &over) {
  // Each pass has a parameter of its own: along the loop it would be two dimensions of one name.
  if (!parameters || !fits(over) || without(over, around).size() != over.size())
    return nullptr;
  std::string made = name("w");
  line(
      "param " + made + ": " + typeText("", over) + " = " +
      oneOf(numbers, {"normal(0.5)", "uniform(0.5)", "normal(0.3)", "1", "truncated_normal(0.4)"}));
  if (values.size() == values.capacity())
    values.reserve(2 * values.size() + 64);
  values.push_back({made, "", over});
  return &values.back();
}

void Body::grow(unsigned statements) {
  values.reserve(values.size() + 512);
  struct Piece {
    unsigned weight;
    void (Body::*add)();
    bool backwards = false; ///< no position of `s` depends on a later one
  };
  static constexpr Piece pieces[] = {{10, &Body::unary, true},
                                     {7, &Body::binary, true},
                                     {7, &Body::sum, true},
                                     {7, &Body::wholeNumbers},
                                     {3, &Body::folded},
                                     {5, &Body::mask},
                                     {6, &Body::choice, true},
                                     {2, &Body::compareWholes},
                                     {4, &Body::widened, true},
                                     {10, &Body::reduce, true},
                                     {3, &Body::reduceWholes},
                                     {8, &Body::normalise, true},
                                     {3, &Body::writtenSoftmax},
                                     {4, &Body::writtenNorm, true},
                                     {2, &Body::writtenLogSumExp, true},
                                     {9, &Body::classified, true},
                                     {8, &Body::product, true},
                                     {6, &Body::linear, true},
                                     {4, &Body::branches, true},
                                     {4, &Body::runningSum, true},
                                     {2, &Body::manySums, true},
                                     {3, &Body::extrema, true},
                                     {4, &Body::twoNames},
                                     {4, &Body::elsewhere, true},
                                     {5, &Body::pooled, true},
                                     {4, &Body::residuals, true},
                                     {2, &Body::again},
                                     {3, &Body::exactly, true},
                                     {2, &Body::unproved},
                                     {7, &Body::rename},
                                     {6, &Body::pick},
                                     {3, &Body::table},
                                     {4, &Body::join},
                                     {5, &Body::best},
                                     {3, &Body::window},
                                     {3, &Body::placed, true},
                                     {11, &Body::attention, true},
                                     {7, &Body::writtenAttention},
                                     {4, &Body::experts, true},
                                     {2, &Body::losses},
                                     {2, &Body::rotate, true},
                                     {8, &Body::loop, true},
                                     {2, &Body::branch},
                                     {3, &Body::nested},
                                     {1, &Body::drawn},
                                     {1, &Body::state},
                                     {3, &Body::called},
                                     {3, &Body::stacked, true}};
  unsigned total = 0;
  for (const Piece &piece : pieces)
    total += piece.backwards || !causal ? piece.weight : 0;
  size_t end = values.size() + statements;
  for (unsigned tries = 0; values.size() < end && tries < 20 * statements; ++tries) {
    unsigned at = numbers.below(total);
    for (const Piece &piece : pieces) {
      unsigned weight = piece.backwards || !causal ? piece.weight : 0;
      if (at < weight) {
        (this->*piece.add)();
        break;
      }
      at -= weight;
    }
  }
}

void Body::line(const std::string &text) {
  // How many positions there will be is not known where a sequence goes on.
  if (causal && text.find("size(s)") != std::string::npos)
    mayBe("E0510");
  lines.push_back(indent + text);
}

std::string Body::text() const {
  std::string result;
  for (const std::string &line : lines)
    result += line + "\n";
  return result;
}

/// Whatever nothing has read becomes a number, so that nothing is left out of the program.
std::string Body::closing() {
  std::string result;
  unsigned taken = 0;
  std::vector<Value *> open;
  for (Value &value : values)
    if (!value.used)
      open.push_back(&value);
  if (open.empty() && !values.empty())
    open.push_back(&values.back());
  for (Value *value : open) {
    if (++taken > 6)
      break;
    value->used = true;
    std::string number = value->isFloat()  ? "tame(" + value->name + ")"
                         : value->isBool() ? "where(" + value->name + ", 1.0, 0.0)"
                                           : "tame(0.01 * " + value->name + ")";
    if (!value->dims.empty())
      number = numbers.chance(0.6) ? "mean[(" + list(value->dims) + ")](" + number + ")"
                                   : "sum[" + list(value->dims) + "](" + number + ")";
    result += (result.empty() ? "" : " + ") + number;
  }
  return result.empty() ? "0.5" : result;
}

} // namespace weft::hunter
