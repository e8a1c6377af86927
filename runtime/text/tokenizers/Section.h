// A section of tokenizer.json, read by name.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_SECTION_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_SECTION_H

#include "runtime/base/Error.h"
#include "runtime/base/Json.h"

namespace weft::runtime {

/// An object of the document, such as `normalizer`, and where it is, for errors. Values of another
/// type than asked for count as absent.
class Section {
public:
  /// `json` must outlive this; null stands for an absent section.
  Section(const Json *json, std::string path) : json(json), path(std::move(path)) {}
  explicit operator bool() const { return json && !json->is_null(); }
  std::string type() const { return string("type"); }
  std::string string(const char *name, const char *absent = "") const;
  bool flag(const char *name, bool absent = false) const;
  /// Beyond 2^63 it is the largest.
  int64_t integer(const char *name, int64_t absent) const;
  /// nullptr where there is no such member.
  const Json *member(const char *name) const;
  Section at(const char *name) const { return {member(name), path + "." + name}; }
  /// The objects of a list.
  std::vector<Section> list(const char *name) const;
  /// `normalizer.normalizers[1]: WHAT`
  Error error(const std::string &what) const { return {Code::Value, path + ": " + what}; }
  /// The type is not one that Weft reads.
  Error unknownType() const;

private:
  const Json *json;
  std::string path;
};

} // namespace weft::runtime
#endif
