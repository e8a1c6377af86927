// The numbers that sizes which come with the data are taken for.
#include "tools/weft/sizes/TakenSizes.h"

#include <fmt/format.h>

namespace weft {

int64_t TakenSizes::number(const Size &size) {
  Size resolved = dims.resolve(size);
  for (const std::string &dim : resolved.dims())
    asked.insert(dim);
  return dims.nominal(resolved.substitute([&](const std::string &name) {
    auto at = given.find(name);
    return at == given.end() ? std::nullopt : std::optional(Size::number(at->second));
  }));
}

std::string TakenSizes::where() const {
  std::string text;
  for (const std::string &dim : asked) {
    auto at = given.find(dim);
    text += fmt::format("{}{} = {}", text.empty() ? " where " : ", ", dim,
                        at == given.end() ? dims.nominal(Size::dim(dim)) : at->second);
  }
  return text;
}

std::optional<std::string> TakenSizes::problem() const {
  for (const auto &[name, size] : given) {
    if (!dims.has(name) || dims.size(name) != Size::dim(name))
      return fmt::format("`{}` is no dimension whose size comes with the data", name);
    if (std::optional<Size> bound = dims.bound(name))
      if (auto most = dims.resolve(*bound).constant(); most && size > *most)
        return fmt::format("`{}` is at most {}, not {}", name, *most, size);
  }
  return std::nullopt;
}

} // namespace weft
