// Looking things up in the facts of a program.
#include "runtime/model/Facts.h"

using namespace weft::runtime;

template <class T> static int named(const std::vector<T> &things, std::string_view name) {
  for (size_t i = 0; i < things.size(); ++i)
    if (things[i].name == name)
      return static_cast<int>(i);
  return -1;
}

int Facts::dimension(std::string_view name) const {
  return named(dims, name);
}
int Facts::entry(std::string_view name) const {
  return named(entries, name);
}
int Facts::parameter(std::string_view name) const {
  return named(parameters, name);
}

int weft::runtime::argumentNamed(const std::vector<Argument> &arguments, std::string_view name) {
  return named(arguments, name);
}

std::string Facts::dimNames(const std::vector<int> &numbers) const {
  std::string out = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    out += (i ? ", " : "") + dims[numbers[i]].name;
  return out + "]";
}

std::string Facts::place(const Dimension &dimension) const {
  if (source.empty() || dimension.line <= 0)
    return "";
  return text(" (%s:%lld)", source.c_str(), wide(dimension.line));
}
