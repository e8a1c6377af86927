// The log as JSON lines.
#include "runtime/training/TrainingLog.h"

#include "runtime/base/WholeNumber.h"
#include "runtime/base/files/Folder.h"
#include "runtime/base/files/InputFile.h"
#include "runtime/base/files/NewFile.h"

#include <cerrno>
#include <cmath>
#include <cstring>

using namespace weft::runtime;

/// JSON knows no NaN: what cannot be measured (a mean over nothing) is null.
static std::string number(double value) {
  return std::isfinite(value) ? text("%.9g", value) : "null";
}

static std::string fields(const std::vector<std::string> &metrics, const Measures &measures,
                          const char *prefix) {
  std::string out = text(", \"%sloss\": %s", prefix, number(measures.loss).c_str());
  for (size_t i = 0; i < metrics.size() && i < measures.metrics.size(); ++i)
    out += text(", \"%s%s\": %s", prefix, metrics[i].c_str(), number(measures.metrics[i]).c_str());
  return out;
}

static constexpr char validationPrefix[] = "validation_";

static std::string line(const std::vector<std::string> &metrics, const StepRecord &record) {
  std::string validation =
      record.validation ? fields(metrics, *record.validation, validationPrefix) : "";
  return text("{\"step\": %lld%s%s, \"norm\": %.9g, \"rate\": %.9g, "
              "\"%s_per_second\": %.6g, \"seconds\": %.3f}",
              wide(record.step), fields(metrics, record.training, "").c_str(), validation.c_str(),
              record.norm, record.rate, record.unit, record.perSecond, record.seconds);
}

static std::optional<StepRecord> readLine(const std::vector<std::string> &metrics,
                                          std::string_view text) {
  Json json = parseJson(text);
  auto number = [&](const std::string &name) {
    Json value = json.value(name, Json(0));
    return value.is_number() ? value.get<double>() : std::nan("");
  };
  auto measures = [&](const std::string &prefix) {
    Measures out{number(prefix + "loss"), {}, {}};
    for (const std::string &name : metrics)
      out.metrics.push_back(number(prefix + name));
    return out;
  };
  std::optional<int64_t> step =
      json.is_object() ? wholeNumber(json.value("step", Json()), 0) : std::nullopt;
  Json loss = step ? json.value("loss", Json(false)) : Json(false);
  if (!loss.is_number() && !loss.is_null())
    return std::nullopt;
  StepRecord record;
  record.step = *step;
  record.training = measures("");
  record.norm = number("norm");
  record.rate = number("rate");
  record.seconds = number("seconds");
  if (json.contains("validation_loss"))
    record.validation = measures(validationPrefix);
  return record;
}

Result<TrainingLog> TrainingLog::open(const std::string &folder,
                                      const std::vector<std::string> &metrics, int64_t resumedAt) {
  TrainingLog log;
  log.folder = folder;
  log.metrics = metrics;
  std::string path = folder + "/log.jsonl";
  if (Result<WholeFile> before = WholeFile::read(path); before && resumedAt > 0) {
    std::string_view rest = before->view();
    while (!rest.empty()) {
      std::string_view row = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(row.size() + 1, rest.size()));
      std::optional<StepRecord> record =
          readLine(metrics, row); // the last line may have been cut off by a kill
      if (!record || record->step > resumedAt)
        break;
      log.all.push_back(*record);
      log.kept += std::string(row) + "\n";
    }
  }
  return log;
}

Status TrainingLog::begin() {
  std::string path = folder + "/log.jsonl";
  if (Status status = writeFile(path, kept); !status)
    return status;
  kept.clear();
  file = fopen(path.c_str(), "ae");
  return file ? success()
              : Status(Error{Code::File,
                             text("%s: cannot open it: %s", path.c_str(), strerror(errno))});
}

TrainingLog::~TrainingLog() {
  if (file)
    fclose(file);
}

Result<std::string> TrainingLog::add(const StepRecord &record) {
  if (!file)
    if (Status status = begin(); !status)
      return status.error();
  all.push_back(record);
  std::string written = line(metrics, record);
  if (fprintf(file, "%s\n", written.c_str()) < 0 || fflush(file) != 0)
    return Error{Code::File,
                 text("%s/log.jsonl: cannot write it: %s", folder.c_str(), strerror(errno))};
  return written;
}

Status TrainingLog::draw(const std::string &title) const {
  return writeFile(folder + "/loss.svg", lossCurve(all, metrics, title));
}
