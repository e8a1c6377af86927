// Lays out numbers in rows and columns.
#include "runtime/tensors/TensorText.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

namespace {

constexpr int64_t mostRows = 12, mostColumns = 10, mostBlocks = 6;

/// Which of `size` places are shown: all, or some of the first and of the last around a gap (-1).
std::vector<int64_t> shown(int64_t size, int64_t most) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < size; ++i)
    if (size <= most || i < most / 2 || i >= size - (most - 1) / 2)
      places.push_back(i);
    else if (places.back() >= 0)
      places.push_back(-1);
  return places;
}

class Layout {
public:
  explicit Layout(const NamedTensor &tensor) : tensor(tensor) {
    rank = tensor.shape.size();
    columns = rank < 1 ? 1 : tensor.shape[rank - 1];
    rows = rank < 2 ? 1 : tensor.shape[rank - 2];
    for (size_t i = 0; i + 2 < rank; ++i)
      blocks *= tensor.shape[i];
    shownRows = shown(rows, mostRows);
    shownColumns = shown(columns, mostColumns);
    shownBlocks = shown(blocks, mostBlocks);
    chooseFormat();
  }

  std::string whole() const {
    if (rank == 0)
      return tensor.name + "  " + number(0) + "\n";
    std::string out = tensor.name + " [";
    for (size_t i = 0; i < rank; ++i)
      out += text("%s%s %lld", i ? ", " : "", tensor.dims[i].c_str(), wide(tensor.shape[i]));
    out += "]\n";
    for (int64_t block : shownBlocks)
      out += block < 0 ? "…\n" : heading(block) + rowsOf(block);
    return out;
  }

private:
  double at(int64_t i) const {
    switch (tensor.element) {
    case Element::Float:
      return static_cast<const float *>(tensor.data)[i];
    case Element::Int:
      return static_cast<const int32_t *>(tensor.data)[i];
    case Element::Bool:
      return static_cast<const char *>(tensor.data)[i];
    case Element::BFloat16:
      return widened(static_cast<const uint16_t *>(tensor.data)[i]);
    case Element::GroupedInt8:
      return grouped::valueAt(tensor.data, i);
    }
    return 0;
  }

  template <class Function> void forShown(Function function) const {
    for (int64_t block : shownBlocks)
      for (int64_t row : shownRows)
        for (int64_t column : shownColumns)
          if (block >= 0 && row >= 0 && column >= 0)
            function((block * rows + row) * columns + column);
  }

  /// Whole numbers as such, else decimals, else exponents; then how wide a column is.
  void chooseFormat() {
    double most = 0;
    bool whole = true;
    forShown([&](int64_t i) {
      double value = at(i);
      if (!std::isfinite(value))
        return;
      most = std::max(most, std::abs(value));
      whole &= std::floor(value) == value;
    });
    bool decimals = tensor.element != Element::Int && tensor.element != Element::Bool;
    if (!decimals || (rank > 0 && whole && most < 1e6))
      format = "%.0f";
    else if (rank == 0)
      format = "%.6g";
    else if (most >= 0.01 && most < 1e4)
      format = "%.4f";
    else
      format = "%.3e";
    forShown([&](int64_t i) { width = std::max(width, number(i).size()); });
  }

  std::string number(int64_t i) const {
    double value = at(i);
    if (tensor.element == Element::Bool)
      return value != 0 ? "true" : "false";
    if (std::isnan(value))
      return "nan";
    char buffer[64];
    snprintf(buffer, sizeof buffer, format, value);
    std::string shown = buffer;
    // What rounds to nothing has no sign.
    if (shown[0] == '-' && shown.find_first_not_of("-0.") == std::string::npos)
      shown.erase(0, 1);
    return shown;
  }

  /// "batch 0, head 1", where there is more than one matrix.
  std::string heading(int64_t block) const {
    if (blocks == 1)
      return "";
    std::string out;
    for (size_t i = rank; i-- > 2;) {
      size_t dim = i - 2;
      int64_t place = block % tensor.shape[dim];
      block /= tensor.shape[dim];
      out =
          text("%s %lld", tensor.dims[dim].c_str(), wide(place)) + (out.empty() ? "" : ", ") + out;
    }
    return out.empty() ? "" : out + "\n";
  }

  std::string rowsOf(int64_t block) const {
    std::string out;
    for (int64_t row : shownRows) {
      if (row < 0) {
        out += "  …\n";
        continue;
      }
      for (int64_t column : shownColumns) {
        std::string cell = column < 0 ? "…" : number((block * rows + row) * columns + column);
        size_t taken = column < 0 ? 1 : cell.size(); // the ellipsis is three bytes
        out += "  " + std::string((column < 0 ? 1 : width) - taken, ' ') + cell;
      }
      out += "\n";
    }
    return out;
  }

  const NamedTensor &tensor;
  size_t rank = 0, width = 0;
  int64_t rows = 1, columns = 1, blocks = 1;
  std::vector<int64_t> shownRows, shownColumns, shownBlocks;
  const char *format = "%.4f";
};

} // namespace

std::string weft::runtime::tensorText(const NamedTensor &tensor) {
  return Layout(tensor).whole();
}
