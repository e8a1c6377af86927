// Weights, and the texts that go with them, that a program carries behind its own code (`weft build
// --weights`).
#ifndef WEFT_RUNTIME_MODEL_CARRIED_H
#define WEFT_RUNTIME_MODEL_CARRIED_H

#include "runtime/base/files/NewFile.h"
#include "runtime/model/Parameters.h"

#include <span>

namespace weft::runtime {

/// Where parameters and states lie in what is carried: in the order of the facts, stacked, each at
/// a multiple of 64 bytes; then what is packed.
struct CarriedLayout {
  std::vector<int64_t> offsets; // by number of parameter; -1: an optimizer's, or packed alone
  std::vector<int64_t> packed;  // by number in the facts' `packed`; -1: it is not carried
  int64_t bytes = 0;
};
CarriedLayout carriedLayout(const Facts &facts);

/// Texts by name, as the files of a checkpoint: "tokenizer.json".
using CarriedTexts = std::map<std::string, std::string, std::less<>>;

/// Writes what `facts.carried` announces to a file that has a program of `size` bytes so far, from
/// the next page on: weights, then `texts` in the order of their names. `packed`: the bytes of
/// those that are carried, by number.
Status appendCarried(NewFile &file, int64_t size, const Facts &facts, const Parameters &parameters,
                     std::span<const char *const> packed, const CarriedTexts &texts);

/// What lies behind the code of a running program. The weights are mapped, not read: pages come
/// from the file when they are touched, and what is written to them is the process's own.
class CarriedFile {
public:
  /// Errors name the file: it is cut short, or something else was appended to it.
  /// `facts` outlives the file.
  static Result<CarriedFile> open(const std::string &path, const Facts &facts);
  ~CarriedFile();
  CarriedFile(CarriedFile &&other) noexcept;

  char *weights() const { return start; }
  /// Where each parameter lies behind weights(), as CarriedLayout has it.
  const std::vector<int64_t> &offsets() const { return layout.offsets; }
  /// Copies a packed weight that is carried. The pages that it came from are the system's again.
  void copyPacked(int weight, char *to) const;
  /// The text of this name; empty if none is carried.
  std::string_view find(std::string_view name) const;

private:
  CarriedFile() = default;
  char *start = nullptr;
  size_t size = 0;
  const Facts *facts = nullptr;
  CarriedLayout layout;
  const char *texts = nullptr; // one behind the other
};

} // namespace weft::runtime
#endif
