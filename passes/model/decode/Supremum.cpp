// The largest value of a linear form under a formula, by elimination.
#include "passes/model/decode/Formula.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>
#include <set>

using namespace llvm;

namespace weft::decode {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr size_t mostRows = 400;

int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// form <= 0 with whole unknowns: divided by the coefficients' greatest common divisor, the
/// constant rounded up.
Linear tightened(Linear row) {
  int64_t shared = 0;
  for (const auto &[unknown, coefficient] : row.terms)
    shared = std::gcd(shared, coefficient);
  if (shared <= 1)
    return row;
  for (auto &[unknown, coefficient] : row.terms)
    coefficient /= shared;
  row.constant = -floorDivide(-row.constant, shared);
  return row;
}

int64_t coefficientOf(const Linear &row, const Unknown &unknown) {
  auto found = row.terms.find(unknown);
  return found == row.terms.end() ? 0 : found->second;
}

/// A system of rows `form <= 0`.
class Elimination {
public:
  void add(const std::optional<Linear> &row) {
    if (row)
      rows.insert(tightened(
          *row)); // a row that is too large for numbers is left out: the system gets weaker
  }

  /// Replaces the rows with `unknown`: by a combination without it of each row that bounds it from
  /// above with each that bounds it from below.
  void eliminate(const Unknown &unknown) {
    std::vector<Linear> above, below;
    std::set<Linear> rest;
    for (const Linear &row : rows) {
      int64_t coefficient = coefficientOf(row, unknown);
      if (coefficient == 0)
        rest.insert(row);
      else
        (coefficient > 0 ? above : below).push_back(row);
    }
    rows = std::move(rest);
    for (const Linear &a : above)
      for (const Linear &b : below) {
        int64_t up = coefficientOf(a, unknown), down = -coefficientOf(b, unknown),
                shared = std::gcd(up, down);
        auto scaled = sum(Linear(), a, down / shared);
        add(scaled ? sum(*scaled, b, up / shared) : std::nullopt);
      }
  }

  /// How many more rows there would be after eliminating `unknown`.
  int64_t cost(const Unknown &unknown) const {
    int64_t above = 0, below = 0;
    for (const Linear &row : rows) {
      int64_t coefficient = coefficientOf(row, unknown);
      above += coefficient > 0;
      below += coefficient < 0;
    }
    return above * below - above - below;
  }

  bool isTooLarge() const { return rows.size() > mostRows; }

  /// With `unknown` the only one left: its largest value.
  double largest(const Unknown &unknown) const {
    double best = infinity;
    for (const Linear &row : rows) {
      int64_t coefficient = coefficientOf(row, unknown);
      if (row.terms.empty() && row.constant > 0)
        return -infinity; // nothing satisfies this
      if (coefficient > 0)
        best = std::min(best, double(floorDivide(-row.constant, coefficient)));
    }
    return best;
  }

private:
  std::set<Linear> rows;
};

double supremumOf(const Formula::Conjunction &all, const Linear &form, Extents extents) {
  std::set<Unknown> unknowns{Unknown::last()};
  for (const auto &[unknown, coefficient] : form.terms)
    unknowns.insert(unknown);
  for (const Linear &row : all)
    for (const auto &[unknown, coefficient] : row.terms)
      unknowns.insert(unknown);

  Elimination system;
  const Unknown value = Unknown::opaque(~0u - 1);
  system.add(sum(Linear::of(value), form, -1)); // value <= form
  for (const Linear &row : all)
    system.add(row);
  system.add(sum(Linear(), Linear::of(Unknown::last()), -1));
  for (const Unknown &unknown : unknowns) {
    if (!unknown.dim)
      continue;
    Linear index = Linear::of(unknown);
    system.add(sum(Linear(), index, -1));
    Extent extent = extents(unknown.dim);
    if (extent.grows)
      system.add(sum(index, Linear::of(Unknown::last()), -1));
    else if (extent.size)
      system.add(sum(index, Linear::number(*extent.size - 1), -1));
  }
  while (!unknowns.empty()) {
    auto next = llvm::min_element(unknowns, [&](const Unknown &a, const Unknown &b) {
      return system.cost(a) < system.cost(b);
    });
    system.eliminate(*next);
    unknowns.erase(next);
    if (system.isTooLarge())
      return infinity;
  }
  return system.largest(value);
}

} // namespace

double supremum(const Formula &where, const Linear &form, Extents extents) {
  double best = -infinity;
  for (const Formula::Conjunction &all : where.disjuncts())
    best = std::max(best, supremumOf(all, form, extents));
  return best;
}

} // namespace weft::decode
