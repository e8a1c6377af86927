// Sizes where faults live: 1, primes, lanes and tiles plus and minus one.
#include "Dims.h"

#include <algorithm>
#include <set>

namespace weft::hunter {

void DimTable::fromData(const std::string &name, const std::string &bound) {
  static const std::vector<int64_t> small = {1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17};
  static const std::vector<int64_t> wide = {1, 5, 16, 31, 33, 47, 64, 65, 97, 130};
  static const std::vector<int64_t> beyond = {257, 300, 385};
  Dim dim{name, bound.empty() ? "" : "<= " + bound, {}, false, "", {}, false};
  if (!bound.empty())
    dim.needs.push_back(bound);
  for (unsigned run = 0; run < runs; ++run) {
    int64_t size = one(numbers, large && numbers.chance(0.4) ? wide : small);
    if (name == "b" && numbers.chance(0.6)) // that there is room for what has more dimensions
      size = 1 + int64_t(numbers.below(4));
    if (name == "s" && !large && numbers.chance(0.25)) // beyond one panel of keys
      size = one(numbers, std::vector<int64_t>{17, 18, 24, 25, 31, 32, 33, 40, 49});
    if (far)
      size = name == "s" && run == 0 ? one(numbers, beyond) : 1 + int64_t(numbers.below(2));
    if (!bound.empty() && size > at(bound, run)) {
      bool breaks = numbers.chance(0.06);
      size = breaks ? at(bound, run) + 1 : 1 + size % at(bound, run);
      dim.broken |= breaks;
    }
    dim.sizes.push_back(size);
  }
  position[name] = dims.size();
  dims.push_back(std::move(dim));
}

void DimTable::fixed(const std::string &name, int64_t size) {
  position[name] = dims.size();
  dims.push_back(
      {name, "= " + std::to_string(size), std::vector<int64_t>(runs, size), true, "", {}, false});
}

void DimTable::derived(const std::string &name, const std::string &equation, Names needs,
                       Formula formula) {
  Dim dim{name, "= " + equation, {}, true, "", needs, false};
  for (const std::string &need : needs) {
    dim.fixed &= (*this)[need].fixed;
    dim.broken |= (*this)[need].broken;
  }
  for (unsigned run = 0; run < runs; ++run) {
    std::optional<int64_t> size = formula(run);
    bool comesOut = size && *size >= 1;
    dim.broken |= !comesOut;
    dim.sizes.push_back(comesOut ? *size : 1);
  }
  // What is known when the program is built must come out; what breaks with the data is refused,
  // which is looked at now and then.
  if (dim.broken && (dim.fixed || !numbers.chance(0.2)))
    return;
  if (needs.size() == 1 && equation == needs[0])
    dim.twin = needs[0];
  position[name] = dims.size();
  dims.push_back(std::move(dim));
}

void DimTable::declare(unsigned count, bool wide, bool beyond, bool groups) {
  runs = count;
  large = wide;
  far = beyond;
  static const std::vector<int64_t> sizes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 33};
  static const std::vector<int64_t> few = {1, 2, 2, 3, 3, 4, 5};
  auto any = [&] {
    return large && numbers.chance(0.3) ? 16 * (1 + numbers.below(6)) + numbers.below(3) - 1
                                        : one(numbers, sizes);
  };
  fixed("two", 2);
  fixed("one", 1);
  fixed("tri", 3);
  fixed("place", 8 + int64_t(numbers.below(20)) + (large ? 130 : 0));
  fromData("b");
  fromData("s", !far && numbers.chance(0.3) ? "place" : "");
  if (numbers.chance(0.4))
    fromData("t");
  if (numbers.chance(0.3))
    fromData("u", "one"); // at most as large as what it is compared with is
  int64_t head = one(numbers, few),
          dh = numbers.chance(0.3) ? 2 * one(numbers, few) : one(numbers, sizes);
  if (far) {
    head = 1 + int64_t(numbers.below(2));
    dh = 1 + int64_t(numbers.below(8));
  }
  if (large && numbers.chance(0.3))
    dh = one(numbers, std::vector<int64_t>{15, 16, 32, 40, 64});
  if (groups) {
    head = 1 + int64_t(numbers.below(3));
    dh = one(numbers, std::vector<int64_t>{32, 32, 32, 64, 40});
  }
  fixed("h", head);
  fixed("d", dh);
  auto of = [this](const char *name) {
    return [this, name](unsigned run) { return std::optional(at(name, run)); };
  };
  derived("m", "h * d", {"h", "d"}, [this](unsigned r) { return at("h", r) * at("d", r); });
  fixed("f", groups && numbers.chance(0.7) ? 32 : int64_t(any()));
  fixed("e", one(numbers, few));
  fixed("v", one(numbers, sizes));
  fixed("g", one(numbers, few));
  fixed("n", 1 + int64_t(numbers.below(3)));
  fixed("c", 1 + int64_t(numbers.below(2)));
  derived("k", "s", {"s"}, of("s"));
  derived("m2", "m", {"m"}, of("m"));
  derived("f2", "f", {"f"}, of("f"));
  derived("b2", "b", {"b"}, of("b"));
  derived("h2", "h", {"h"}, of("h"));
  derived("d2", "d", {"d"}, of("d"));
  derived("sd", "2 * s", {"s"}, [this](unsigned r) { return 2 * at("s", r); });
  derived("dd", "2 * s", {"s"}, [this](unsigned r) { return 2 * at("s", r); });
  derived("sw", "s + 1", {"s"}, [this](unsigned r) { return at("s", r) + 1; });
  derived("sl", "s - 1", {"s"}, [this](unsigned r) { return at("s", r) - 1; });
  derived("sm", "s - tri", {"s", "tri"}, [this](unsigned r) { return at("s", r) - 3; });
  derived("sh", "s / two", {"s", "two"}, [this](unsigned r) {
    return at("s", r) % 2 ? std::nullopt : std::optional(at("s", r) / 2);
  });
  derived("out", "(s - tri) / two + 1", {"s", "tri", "two"}, [this](unsigned r) {
    int64_t over = at("s", r) - 3;
    return over < 0 || over % 2 ? std::nullopt : std::optional(over / 2 + 1);
  });
  derived("fh", "f / two", {"f", "two"}, [this](unsigned r) {
    return at("f", r) % 2 ? std::nullopt : std::optional(at("f", r) / 2);
  });
  derived("bs", "b * s", {"b", "s"}, [this](unsigned r) { return at("b", r) * at("s", r); });
  derived("tok", "one | s", {"one", "s"}, [this](unsigned r) { return 1 + at("s", r); });
  derived("fe", "f | e", {"f", "e"}, [this](unsigned r) { return at("f", r) + at("e", r); });
  derived("mm", "m | m2", {"m", "m2"}, [this](unsigned r) { return 2 * at("m", r); });
}

std::optional<int64_t> DimTable::most(const std::string &name) const {
  const Dim &dim = (*this)[name];
  if (dim.fixed)
    return dim.sizes[0];
  if (!dim.twin.empty())
    return most(dim.twin);
  return dim.definition.starts_with("<=") ? most(dim.needs[0]) : std::nullopt;
}

int64_t DimTable::count(const Names &names) const {
  int64_t most = 0;
  for (unsigned run = 0; run < runs; ++run) {
    int64_t product = 1;
    for (const std::string &name : names)
      product = std::min<int64_t>(product * at(name, run), int64_t(1) << 40);
    most = std::max(most, product);
  }
  return most;
}

std::string DimTable::text(const std::vector<std::string> &used) const {
  std::set<std::string> wanted(used.begin(), used.end());
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim)
    if (wanted.count(dim->name))
      wanted.insert(dim->needs.begin(), dim->needs.end());
  std::string result;
  for (const Dim &dim : dims)
    if (wanted.count(dim.name))
      result += (result.empty() ? "dim " : ", ") + dim.name +
                (dim.definition.empty() ? "" : " " + dim.definition);
  return result + "\n";
}

std::map<std::string, int64_t> DimTable::given(unsigned run) const {
  std::map<std::string, int64_t> result;
  for (const Dim &dim : dims)
    if (dim.definition.empty() || dim.definition.starts_with("<="))
      result[dim.name] = dim.sizes[run];
  return result;
}

} // namespace weft::hunter
