// Any bytes as what a checkpoint says of itself: its state, or the log beside it.
#include "runtime/training/TrainingLog.h"
#include "runtime/training/checkpoint/CheckpointState.h"
#include "tests/fuzz/Require.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <filesystem>
#include <fstream>

using namespace weft::runtime;

static void checkState(const std::string &path) {
  auto state = readCheckpointState(path);
  if (!state)
    return require(state.error().message.starts_with(path));
  require(state->is_object() && !jsonText(*state).empty());
}

/// What is kept of a log is a log, which goes on, is drawn, and is read again as it was.
static void checkLog(const std::string &folder, int64_t resumedAt) {
  const std::vector<std::string> metrics{"accuracy"};
  size_t kept = 0;
  {
    auto log = TrainingLog::open(folder, metrics, resumedAt);
    if (!log)
      return require(!log.error().message.empty());
    kept = log->records().size();
    for (const StepRecord &record : log->records())
      require(record.step <= resumedAt);
    require(static_cast<bool>(log->draw("a < b & \"c\"")));
  }
  auto again = TrainingLog::open(folder, metrics, resumedAt);
  require(again && again->records().size() == kept);
}

/// The first byte says which, and at what step a training goes on.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1)
    return 0;
  static const TemporaryFolder folder;
  bool isState = data[0] % 2 == 0;
  std::string path = folder / (isState ? "state.json" : "log.jsonl");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(data + 1), static_cast<std::streamsize>(size - 1));
  if (isState)
    checkState(path);
  else
    checkLog(folder.path(), data[0] / 2);
  return 0;
}
