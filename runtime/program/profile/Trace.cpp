// A profile as a trace of events.
#include "runtime/base/Json.h"
#include "runtime/program/profile/Report.h"

using namespace weft::runtime;

/// Microseconds, as the format wants them.
static Json event(const std::string &name, LaunchTimes::Span span, int64_t track) {
  return jsonObject({{"name", name},
                     {"ph", "X"},
                     {"pid", 1},
                     {"tid", track},
                     {"ts", span.begin * 1e6},
                     {"dur", span.seconds() * 1e6}});
}

static Json trackName(int64_t track, const std::string &name) {
  return jsonObject({{"name", "thread_name"},
                     {"ph", "M"},
                     {"pid", 1},
                     {"tid", track},
                     {"args", jsonObject({{"name", name}})}});
}

std::string weft::runtime::profileTrace(const LaunchTimes &times, size_t from, const Model &model,
                                        const Profile &profile) {
  Json events = Json::array();
  events.push_back(trackName(0, "launches of " + profile.subject));
  std::vector<std::string> names;
  for (size_t i = from; i < times.launches().size(); ++i) {
    const LaunchTimes::Launch &launch = times.launches()[i];
    names.push_back(nameOf(launch, model));
    Json one = event(names.back(), launch.span, 0);
    one["args"] = jsonObject({{"tasks", launch.tasks}});
    events.push_back(std::move(one));
  }
  int64_t track = 0;
  for (const auto &chunks : times.chunksByThread()) {
    events.push_back(trackName(track + 1, text("thread %lld", wide(track))));
    ++track;
    for (const LaunchTimes::Chunk &chunk : chunks)
      if (chunk.launch >= from)
        events.push_back(event(names[chunk.launch - from], chunk.span, track));
  }
  return jsonText(jsonObject({{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}));
}
