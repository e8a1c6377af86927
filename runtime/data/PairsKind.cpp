// The kind `pairs`, in programs that have it (libweft_translation.a); in others its name says so.
#include "runtime/data/OpenData.h"

using namespace weft::runtime;

[[gnu::weak]]
Result<std::unique_ptr<DataSource>> openPairs(const Model &model, const Training &training,
                                              const std::string &path,
                                              const DataRequest &request) asm("weft_open_pairs");

static Result<std::unique_ptr<DataSource>> openIfThere(const Model &model, const Training &training,
                                                       const std::string &path,
                                                       const DataRequest &request) {
  if (!openPairs)
    return Error{Code::Value, text("pairs:%s: this program reads no pairs, because its model has "
                                   "no training with `data = pairs(source, valid, target, label, "
                                   "length)`",
                                   path.c_str())};
  return openPairs(model, training, path, request);
}

DataKind weft::runtime::pairsKind() {
  DataKind kind{"pairs", "FILE.tsv", {}, true, openIfThere};
  if (openPairs)
    kind.options = {
        sequenceOption(),
        {"pairs", "N", "only the first N pairs of the file"},
        {"validate-on", "N", "pairs held out to validate on (default: a tenth)"},
        {"test-on", "N", "pairs held out until the end (default 0)"},
        {"held-out", "WHICH",
         "last: of the file, test behind validation (default); random: whole groups of pairs with "
         "one source"},
        {"min-count", "N", "how often a word occurs to have an id (default 2)"},
        {"keep-case", "", "words as they are written, not in lower case"},
        {"keep-spacing", "", "no space between a word and the , . ! ? behind it"}};
  return kind;
}
