// Looking up members without trusting their types.
#include "runtime/text/tokenizers/Section.h"

#include "runtime/base/WholeNumber.h"

using namespace weft::runtime;

const Json *Section::member(const char *name) const {
  if (!json || !json->is_object())
    return nullptr;
  auto found = json->find(name);
  return found == json->end() ? nullptr : &*found;
}

std::string Section::string(const char *name, const char *absent) const {
  const Json *value = member(name);
  return value && value->is_string() ? value->get<std::string>() : absent;
}

bool Section::flag(const char *name, bool absent) const {
  const Json *value = member(name);
  return value && value->is_boolean() ? value->get<bool>() : absent;
}

int64_t Section::integer(const char *name, int64_t absent) const {
  const Json *value = member(name);
  if (!value || !value->is_number_integer())
    return absent;
  return wholeNumber(*value).value_or(std::numeric_limits<int64_t>::max());
}

std::vector<Section> Section::list(const char *name) const {
  std::vector<Section> out;
  if (const Json *values = member(name); values && values->is_array())
    for (const Json &value : *values)
      out.emplace_back(&value, text("%s.%s[%zu]", path.c_str(), name, out.size()));
  return out;
}

Error Section::unknownType() const {
  std::string name = type();
  return error(name.empty() ? std::string("has no type")
                            : text("`%s` is not among the types that Weft reads", name.c_str()));
}
