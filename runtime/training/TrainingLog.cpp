// The log as JSON lines.
#include "runtime/training/TrainingLog.h"

#include "runtime/files/Folder.h"
#include "runtime/files/MappedFile.h"
#include "runtime/files/NewFile.h"
#include "runtime/json/Json.h"

#include <cerrno>
#include <cstring>

using namespace weft::runtime;

static std::string line(const StepRecord &record) {
  std::string validation =
      record.validation ? text(", \"validation_loss\": %.9g", *record.validation) : "";
  return text("{\"step\": %lld, \"loss\": %.9g%s, \"norm\": %.9g, \"rate\": %.9g, "
              "\"tokens_per_second\": %.6g, "
              "\"seconds\": %.3f}",
              wide(record.step), record.loss, validation.c_str(), record.norm, record.rate,
              record.tokensPerSecond, record.seconds);
}

static std::optional<StepRecord> readLine(std::string_view text) {
  Json json = parseJson(text);
  auto number = [&](const char *name) {
    return json.value(name, Json(0)).is_number() ? json.value(name, Json(0)).get<double>() : 0;
  };
  if (!json.is_object() || !json.value("step", Json()).is_number_integer() ||
      !json.value("loss", Json()).is_number())
    return std::nullopt;
  StepRecord record{
      json["step"].get<int64_t>(), number("loss"),   std::nullopt, number("norm"), number("rate"),
      number("tokens_per_second"), number("seconds")};
  if (json.contains("validation_loss"))
    record.validation = number("validation_loss");
  return record;
}

Result<TrainingLog> TrainingLog::open(const std::string &folder, int64_t resumedAt) {
  TrainingLog log;
  log.folder = folder;
  std::string path = folder + "/log.jsonl", contents;
  if (Result<MappedFile> before = MappedFile::open(path); before && resumedAt > 0) {
    std::string_view rest = before->view();
    while (!rest.empty()) {
      std::string_view row = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(row.size() + 1, rest.size()));
      std::optional<StepRecord> record =
          readLine(row); // the last line may have been cut off by a kill
      if (!record || record->step > resumedAt)
        break;
      log.all.push_back(*record);
      contents += std::string(row) + "\n";
    }
  }
  if (Status status = writeFile(path, contents); !status)
    return status.error();
  log.file = fopen(path.c_str(), "ae");
  if (!log.file)
    return Error{Code::File, text("%s: cannot open it: %s", path.c_str(), strerror(errno))};
  return log;
}

TrainingLog::~TrainingLog() {
  if (file)
    fclose(file);
}

Result<std::string> TrainingLog::add(const StepRecord &record) {
  all.push_back(record);
  std::string written = line(record);
  if (fprintf(file, "%s\n", written.c_str()) < 0 || fflush(file) != 0)
    return Error{Code::File,
                 text("%s/log.jsonl: cannot write it: %s", folder.c_str(), strerror(errno))};
  return written;
}

Status TrainingLog::draw(const std::string &title) const {
  return writeFile(folder + "/loss.svg", lossCurve(all, title));
}
