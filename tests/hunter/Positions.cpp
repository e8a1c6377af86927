// Whole numbers: positions, sizes, what is made of them, and the masks and picks that they decide.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

/// A number that the checker does not see, but folds do: small, and near the ends of an int.
static std::string lateNumber(Numbers &numbers) {
  const char *value = oneOf(numbers, {"2000000000", "2147483647", "1500000001", "65536", "65537",
                                      "46341", "7", "3", "1", "0"});
  return fmt::format(
      fmt::runtime(oneOf(numbers, {"where(1 < 2, {}, 11)", "(0 - where(1 < 2, {}, 11))"})), value);
}

/// Whole numbers of those alone: a pass knows the result.
std::string Body::knownLate() {
  const char *form =
      oneOf(numbers, {"{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} + {1}", "{0} - {1}", "{0} * {1}",
                      "{0} % (1 + {2})", "floor({0} / (1 + {2}))", "-{0}", "-{0}", "max({0}, {1})",
                      "min({0}, {1})", "where({0} < {1}, {0}, {1})"});
  std::string small = oneOf(numbers, {"where(1 < 2, 2, 5)", "where(1 < 2, 6, 5)"});
  return fmt::format(fmt::runtime(form), lateNumber(numbers), lateNumber(numbers), small);
}

/// What whole numbers are made of.
struct Body::Leaf {
  std::string text;
  Names over;
  std::string indexes;          ///< the dimension that this is a position of
  bool isNumber = false;        ///< the same for all positions
  std::optional<int64_t> known; ///< that number, when the program is built
};

Body::Leaf Body::leaf() {
  Value *n = any(&Value::isWhole);
  if (n && numbers.chance(0.4)) {
    n->used = true;
    bool isInt = n->element == "int"; // of no dimensions: perhaps a number that the checker knows
    return {n->name, n->dims, isInt ? "" : n->element, isInt && n->dims.empty(), {}};
  }
  Value *x = floats();
  std::string name = x ? dim(*x) : "";
  if (name.empty())
    return {"3", {}, "", true, 3};
  if (numbers.chance(0.2)) {
    std::optional<int64_t> size;
    if (dims[name].fixed)
      size = dims[name].sizes[0];
    return {"size(" + name + ")", {}, "", true, size};
  }
  return {"index(" + name + ")", {name}, name, false, {}};
}

/// A position is compared with positions: a number that is none is refused.
void Body::compares(const Leaf &a, const Leaf &b) {
  for (auto &[index, number] : {std::pair(&a, &b), {&b, &a}})
    if (!index->indexes.empty() && number->isNumber) {
      std::optional<int64_t> most = dims.most(index->indexes);
      if (most && (!number->known || *number->known >= *most))
        for (const char *error : {"E0310", "E0609"})
          mayBe(error);
    }
}

/// A whole number that a pass knows, and what it scales.
void Body::folded() {
  Value *n = bind(knownLate(), "int", {}, {});
  Value *x = floats();
  if (n && x && numbers.chance(0.6))
    bind(fmt::format("{} * tanh(1e-9 * {})", x->name, n->name), "", x->dims, {x, n});
}

void Body::wholeNumbers() {
  Leaf left = leaf(), right = leaf();
  Names first = left.over, second = right.over;
  const char *form = oneOf(numbers, {"{0} + {1}",
                                     "{0} - {1}",
                                     "{0} * {1}",
                                     "{0} % {1}",
                                     "floor({0} / {1})",
                                     "{0} * 7 - {1}",
                                     "max({0}, {1})",
                                     "min({0}, {1})",
                                     "{0} * 1000000007 + {1}",
                                     "({0} + 2) % 5",
                                     "floor(({0} + {1}) / 2)",
                                     "where({0} > {1}, {0}, {1})",
                                     "{0} * 65537 * {1}",
                                     "-{0}",
                                     "where({0} == {1}, 1, 0)",
                                     "{0} - 2147483647",
                                     "2 * {0} + 1",
                                     "{0} % 3",
                                     "({0} - 5) % 3",
                                     "(0 - {0}) % {1}"});
  std::string text = fmt::format(fmt::runtime(form), "(" + left.text + ")", "(" + right.text + ")");
  if (std::string_view(form).find("where(") == 0)
    compares(left, right);
  bool large = text.find("1000000007") != text.npos || text.find("65537") != text.npos ||
               text.find("2147483647") != text.npos;
  if (large && left.isNumber && left.known.value_or(3) > 2)
    mayBe("E0613");
  if (std::string_view(form).find("{1}") != std::string_view::npos)
    first = joined(first, second);
  if (std::string_view(form).find("{0}") == std::string_view::npos)
    first.clear();
  bind(text, "int", first, {});
}

/// Known when the program is built, and not as large as this.
bool Body::isShort(const std::string &dim, int64_t size) const {
  return dims[dim].fixed && dims[dim].sizes[0] < size;
}

/// A condition over some of these dimensions.
std::string Body::maskText(const Names &over) {
  if (over.empty())
    return oneOf(numbers, {"true", "1 < 2"});
  std::string p = one(numbers, over), q = one(numbers, over);
  // A number that is no position of a known size is refused.
  if (isShort(p, 4) || isShort(q, 4))
    return fmt::format(
        fmt::runtime(oneOf(numbers, {"index({0}) <= index({1})", "index({0}) % 2 == 0",
                                     "index({0}) == index({1})", "2 * index({0}) < size({0})"})),
        p, q);
  if (!dims[p].fixed && !dims[q].fixed && numbers.chance(0.3))
    return positionMask(p, q);
  const char *form =
      oneOf(numbers, {"index({0}) <= index({1})", "index({0}) < 2", "index({0}) % 2 == 0",
                      "index({0}) > index({1}) - 3", "index({0}) == index({1})",
                      "index({0}) * 1000000007 <= index({1}) * 7", "2 * index({0}) < size({0})",
                      "index({0}) + 1 != size({1})", "index({0}) >= 1 and index({1}) < 3",
                      "not (index({0}) == 0)", "floor(index({0}) / 2) == floor(index({1}) / 2)",
                      "index({0}) - index({1}) < 2 and index({1}) - index({0}) < 3"});
  return fmt::format(fmt::runtime(form), p, q);
}

/// Any comparison of any arithmetic of two positions whose sizes come with the data.
std::string Body::positionMask(const std::string &p, const std::string &q) {
  auto side = [&](const std::string &dim) {
    const char *factor = oneOf(numbers, {"2", "3", "7", "65536", "1000000007"});
    const char *shift = oneOf(numbers, {"1", "2", "3", "9", "16", "2147483600"});
    const char *form = oneOf(
        numbers, {"index({0})", "index({0})", "index({0})", "index({0}) * {1}", "index({0}) + {2}",
                  "index({0}) - {2}", "floor(index({0}) / 2)", "index({0}) % 3", "-index({0})",
                  "max(index({0}), 3)", "min(index({0}) * {1}, {2})", "index({0}) * {1} + {2}"});
    return fmt::format(fmt::runtime(form), dim, factor, shift);
  };
  std::string left = side(p), right = numbers.chance(0.8) ? side(q) : fmt::format("size({})", q);
  const char *form =
      oneOf(numbers, {"{} <= {}", "{} < {}", "{} >= {}", "{} > {}", "{} == {}", "{} != {}"});
  return fmt::format(fmt::runtime(form), left, right);
}

/// A position that nothing cuts to its range: shown to be inside, asked of the sizes, or refused.
void Body::unproved() {
  Value *x = floats(), *y = floats();
  std::string d = x ? dim(*x) : "", e = y ? dim(*y) : "";
  if (d.empty() || e.empty())
    return;
  const char *form = oneOf(
      numbers, {"index({0}) + 1", "index({0}) + size({2})", "index({0}) + size({2}) - 1",
                "floor(index({0}) * {3} / {3})", "floor(index({0}) * {3} / {3})",
                "floor(index({0}) * {4} / {4})", "floor((index({0}) + 1) * {4} / {4}) - 1",
                "min(index({0}) * {4}, index({0}))", "max(index({0}) - index({0}) * {4}, 0)",
                "floor(index({0}) * size({1}) / size({1}))", "index({0}) - 1",
                "size({0}) - index({0})", "max(index({0}), 2)", "index({0}) * {3} % size({0})",
                "floor(index({0}) * 0.5)", "min(index({0}) + {3}, size({0}) - 1)"});
  std::string_view shape = form;
  const char *scale = oneOf(numbers, {"3", "7", "65536", "1000000007", "16777217"});
  const char *wraps = oneOf(numbers, {"1000000007", "715827883", "2147483647", "306783379"});
  std::string u = dims.has("u") ? "u" : "one";
  // Outside, or known to be inside by none of the equations.
  for (std::string_view open :
       {"index({0}) + 1", "index({0}) + size({2})", "index({0}) - 1", "size({0}) - index({0})",
        "max(index({0}), 2)", "floor(index({0}) * 0.5)", "floor((index({0}) + 1) * {4} / {4}) - 1"})
    if (shape == open)
      mayBe("E0310");
  // A quotient by a sum of sizes is not looked into.
  if (shape.ends_with("/ size({1}))") && !dims[e].fixed &&
      dims[e].definition.find_first_of("+-|") != std::string::npos)
    mayBe("E0310");
  // Inside, if no number on the way is larger than an int, or than a float counts exactly.
  std::string by = shape.find("{4}") != shape.npos   ? wraps
                   : shape.find("{3}") != shape.npos ? scale
                                                     : "1";
  bool divides = shape.find("/") != shape.npos;
  if (std::optional<int64_t> most = dims.most(d);
      most && *most * std::stoll(by) > (divides ? 1 << 24 : 2147483647))
    mayBe("E0310");
  bind(fmt::format("{}[{} = {}]", x->name, d,
                   fmt::format(fmt::runtime(form), d, e, u, scale, wraps)),
       "", x->dims, {x});
}

} // namespace weft::hunter
