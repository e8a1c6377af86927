// Typed fields of a JSON object, with the path of the first one that is not what it should be.
#ifndef WEFT_RUNTIME_MODEL_FIELDS_H
#define WEFT_RUNTIME_MODEL_FIELDS_H

#include "runtime/base/Text.h"
#include "runtime/base/WholeNumber.h"

#include <optional>

namespace weft::runtime {

/// Reads the fields of one object; all readers of a document share `problem`, which keeps the first
/// thing wrong.
class Fields {
public:
  Fields(const Json &object, std::string path, std::string &problem)
      : object(object), path(std::move(path)), problem(problem) {
    if (!object.is_object())
      wrong("", "an object");
  }

  /// nullptr for a field that is absent or null.
  const Json *find(const char *name) const {
    if (!object.is_object())
      return nullptr;
    auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }
  std::string string(const char *name) const {
    const Json *field = find(name);
    if (field && field->is_string())
      return field->get<std::string>();
    wrong(name, "text");
    return "";
  }
  std::string stringOr(const char *name, const char *otherwise) const {
    return find(name) ? string(name) : otherwise;
  }
  std::optional<int64_t> integer(const char *name) const {
    const Json *field = find(name);
    std::optional<int64_t> number = field ? wholeNumber(*field) : std::nullopt;
    if (field && !number)
      wrong(name, "a whole number");
    return number;
  }
  int64_t need(const char *name) const {
    if (!find(name))
      wrong(name, "a whole number");
    return integer(name).value_or(0);
  }
  double real(const char *name) const {
    const Json *field = find(name);
    if (field && field->is_number())
      return field->get<double>();
    wrong(name, "a number");
    return 0;
  }
  bool flag(const char *name) const {
    const Json *field = find(name);
    if (field && !field->is_boolean())
      wrong(name, "a truth value");
    return field && field->is_boolean() && field->get<bool>();
  }
  /// Calls `read(element, path of the element)` for each element of an array; an absent array has
  /// none.
  template <class Read> void each(const char *name, Read read) const {
    const Json *field = find(name);
    if (!field)
      return;
    if (!field->is_array())
      return wrong(name, "an array");
    size_t i = 0;
    for (const Json &element : *field)
      read(element, text("%s.%s[%zu]", path.c_str(), name, i++));
  }
  Fields of(const Json &element, std::string elementPath) const {
    return {element, std::move(elementPath), problem};
  }

  void wrong(const char *name, const char *expected) const {
    if (problem.empty())
      problem = text("%s%s%s is not %s", path.c_str(), *name ? "." : "", name, expected);
  }

private:
  const Json &object;
  std::string path;
  std::string &problem;
};

} // namespace weft::runtime
#endif
