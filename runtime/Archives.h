// Archives that only some programs link, and the table of functions by which the runtime calls
// each.
//
// An archive libweft_NAME.a defines one symbol, `weft_NAME`: its table. Whoever links it asks for
// that symbol (`-u weft_NAME`), which brings everything that the table names; in other programs the
// symbol is weak, undefined and null. So the runtime holds no code of an archive, and can say what
// a program lacks.
#ifndef WEFT_RUNTIME_ARCHIVES_H
#define WEFT_RUNTIME_ARCHIVES_H

#include "runtime/base/Json.h"

#include <memory>

struct WeftDevice;
struct WeftProgram;

namespace weft::runtime {

class DataSource;
class Model;
class Options;
class RunInputs;
class Tokenizer;
enum class Split;
struct AxisWords;
struct DataReader;
struct Decoding;
struct DeviceFacts;
struct Entry;
struct Facts;
struct LoadedWeights;
struct ScoreReport;
struct SearchRequest;
struct Translations;

/// libweft_images.a, with libpng, libjpeg-turbo and zlib inside: linked where a training takes
/// images.
struct ImagesArchive {
  DataReader (*reader)(); // of the kind of data `images`
};

/// libweft_translation.a: linked where a training takes pairs of sentences, or a decoding a source.
struct TranslationArchive {
  DataReader (*reader)(); // of the kind of data `pairs`
  /// Vocabularies of words: wordsFromFile() and wordsFromJson() in text/WordsKind.h.
  Result<std::unique_ptr<Tokenizer>> (*wordsFromFile)(const std::string &path);
  Result<std::unique_ptr<Tokenizer>> (*wordsFromJson)(const Json &json);
  /// `--source` of `run`: see addTexts() in program/run/RunPrompt.h.
  Result<AxisWords> (*addSource)(RunInputs &inputs, const Facts &facts, const Entry &entry,
                                 const LoadedWeights &loaded, const Options &options);
  /// The functions of these names in program/Translating.h.
  bool (*takesSource)(const Facts &facts, const Decoding &decoding);
  Result<Translations> (*translateSources)(Model &model, const Options &options,
                                           const LoadedWeights &weights,
                                           const SearchRequest &request);
  Result<ScoreReport> (*scoreTranslations)(Model &model, const DataSource &data, Split split,
                                           const Options &options);
};

/// A kind of device: libweft_cuda.a, linked where a program has code for CUDA devices, and
/// libweft_emulator.a, where it has code for those that this machine stands in for.
struct DeviceArchive {
  /// Opens device `number` for a program that has code for this kind. Errors (Device): there is
  /// none, or none that the program has code for.
  Result<std::unique_ptr<WeftDevice>> (*open)(const WeftProgram &program, int number);
  /// What runs such devices here, in a few words: "CUDA 12.4". Errors: nothing does.
  Result<std::string> (*driver)();
  /// The devices that there are, by number; nothing is opened.
  Result<std::vector<DeviceFacts>> (*list)();
  /// Which of a program's code would run on it, or why none would.
  Result<std::string> (*fits)(const WeftProgram &program, const DeviceFacts &device);
};

extern "C" {
[[gnu::weak]] extern const ImagesArchive weft_images;
[[gnu::weak]] extern const TranslationArchive weft_translation;
[[gnu::weak]] extern const DeviceArchive weft_cuda, weft_emulator;
}

/// The table of an archive, or nullptr in a program that does not have it.
inline const ImagesArchive *imagesArchive() {
  return &weft_images;
}
inline const TranslationArchive *translationArchive() {
  return &weft_translation;
}
inline const DeviceArchive *cudaArchive() {
  return &weft_cuda;
}
inline const DeviceArchive *emulatorArchive() {
  return &weft_emulator;
}

} // namespace weft::runtime
#endif
