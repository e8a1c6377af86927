// The JSON of a safetensors header, read event by event: depth and memory stay bounded whatever the
// file says.
#ifndef WEFT_RUNTIME_TENSORS_SAFETENSORS_HEADERSYNTAX_H
#define WEFT_RUNTIME_TENSORS_SAFETENSORS_HEADERSYNTAX_H

#include "runtime/base/Json.h"
#include "runtime/tensors/safetensors/Header.h"

#include <set>

namespace weft::runtime {

/// Collects what the header says; offsets are still relative to the data. A handler returns false
/// to stop.
class HeaderSyntax final : public JsonEvents {
public:
  SafetensorsHeader header;
  std::string problem;   // set when a handler refused
  bool overflow = false; // what was refused is a size beyond 2^63

  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("truth value"); }
  bool number_integer(number_integer_t) override { return refuse("negative number"); }
  bool number_float(number_float_t, const string_t &) override { return refuse("fraction"); }
  bool binary(binary_t &) override { return refuse("binary data"); }
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t &value) override;
  bool start_object(std::size_t) override;
  bool key(string_t &value) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override;

private:
  enum class Place { Start, File, Metadata, Tensor, Shape, Offsets };
  bool refuse(const std::string &what);
  Place place = Place::Start;
  std::string field; // the last key
  std::set<std::string, std::less<>> names;
  StoredTensor tensor;
  std::vector<uint64_t> offsets;
  bool hasType = false, hasShape = false, hasOffsets = false;
};

} // namespace weft::runtime
#endif
