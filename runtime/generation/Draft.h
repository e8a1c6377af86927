// What a smaller model would say next: a library of `weft build --shared --weights`.
#ifndef WEFT_RUNTIME_GENERATION_DRAFT_H
#define WEFT_RUNTIME_GENERATION_DRAFT_H

#include "runtime/base/Error.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct WeftApi;
struct WeftModel;
struct WeftGenerator;

namespace weft::runtime {

/// A library that proposes, opened with the weights that it carries. It has threads of its own, as
/// many, on the same cores: one of the two models computes at a time.
class DraftLibrary {
public:
  /// Errors: it cannot be opened, or is no model that continues sequences of so many ids
  /// (`vocabulary`) by itself, or cannot go back to where it was.
  static Result<std::shared_ptr<const DraftLibrary>> open(const std::string &path, int threads,
                                                          int64_t vocabulary);
  ~DraftLibrary();
  DraftLibrary(const DraftLibrary &) = delete;

private:
  friend class Draft;
  explicit DraftLibrary(std::string path) : path(std::move(path)) {}
  Status load();
  Status openModel(int threads);
  Status check(int64_t vocabulary);
  Error failed(const char *what) const;
  std::string path;
  void *handle = nullptr;
  const WeftApi *api = nullptr;
  WeftModel *model = nullptr;
  int64_t positions = 0; // that it has room for, at most
};

/// One text, as the library knows it.
class Draft {
public:
  explicit Draft(std::shared_ptr<const DraftLibrary> library) : library(std::move(library)) {}
  ~Draft();
  Draft(Draft &&other) noexcept;

  /// The most likely ids behind `text`, each behind those before it; fewer than `most` where the
  /// library has no room for more.
  Result<std::vector<int32_t>> propose(std::span<const int32_t> text, size_t most);

private:
  /// Makes room for so many positions; forgets what it knew.
  Status reserve(int64_t capacity);
  std::shared_ptr<const DraftLibrary> library;
  WeftGenerator *generator = nullptr;
  int64_t capacity = 0;
  std::vector<int32_t> known; // ids that it has taken in
};

} // namespace weft::runtime
#endif
