// The progress bar.
#include "runtime/training/Progress.h"

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace weft::runtime;

std::string weft::runtime::durationText(double seconds) {
  auto whole = static_cast<long long>(std::min(seconds, 1e9) + 0.5);
  if (whole >= 3600)
    return text("%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  return text("%lld:%02lld", whole / 60, whole % 60);
}

std::string weft::runtime::rateText(double rate) {
  return rate >= 1e6   ? text("%.1fM", rate / 1e6)
         : rate >= 1e4 ? text("%.1fk", rate / 1e3)
                       : text("%.0f", rate);
}

Progress::Progress(const std::vector<std::string> &metrics, int64_t firstStep, int64_t steps,
                   bool quiet)
    : metrics(metrics), first(firstStep), steps(steps), quiet(quiet),
      terminal(isatty(STDERR_FILENO)) {}

static int terminalWidth() {
  winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static std::string speed(const StepRecord &record, double secondsLeft) {
  return text("  %s %s/s  %s left", rateText(record.perSecond).c_str(), record.unit,
              durationText(secondsLeft).c_str());
}

void Progress::drawBar(const StepRecord &record, double secondsLeft) {
  std::string numbers = "  " + this->numbers(validation, "  ", "val");
  numbers += speed(record, secondsLeft);
  std::string position = text("step %lld/%lld ", wide(record.step), wide(steps));
  int width = std::max(terminalWidth() - 1, 1);
  int room = std::clamp(width - static_cast<int>(position.size() + numbers.size()), 0, 30);
  auto full = static_cast<int>(record.step * room / steps);
  std::string bar;
  for (int i = 0; i < room; ++i)
    bar += i < full ? "━" : "╌";
  // where there is no room for a bar, the line is cut: one that wraps could not be drawn over
  std::string line = room > 0 ? position + bar + numbers : (position + numbers).substr(0, width);
  put("\r\033[K" + line);
  drawn = true;
}

/// What is measured: smoothed, and on the validation part, which is called `name` here.
std::string Progress::numbers(const std::optional<Measures> &validation, const char *between,
                              const char *name) const {
  std::string out = "loss " + measureText(smooth->loss);
  if (!metrics.empty())
    out += between + metricsText(metrics, *smooth, between);
  if (!validation)
    return out;
  out += text("%s%s %s", between, name, measureText(validation->loss).c_str());
  return metrics.empty() ? out : out + " (" + metricsText(metrics, *validation, ", ") + ")";
}

std::string Progress::losses() const {
  return numbers(validation, ", ", "validation");
}

/// Moves what is shown a tenth of the way; what cannot be measured (NaN) is passed over.
static void smoothe(double &shown, double now) {
  if (std::isfinite(now))
    shown = std::isfinite(shown) ? shown + 0.1 * (now - shown) : now;
}

void Progress::note(const StepRecord &record) {
  if (!smooth)
    smooth = record.training;
  smoothe(smooth->loss, record.training.loss);
  for (size_t i = 0; i < smooth->metrics.size() && i < record.training.metrics.size(); ++i)
    smoothe(smooth->metrics[i], record.training.metrics[i]);
  if (record.validation)
    validation = record.validation;
}

void Progress::remember(const std::vector<StepRecord> &before) {
  for (const StepRecord &record : before)
    note(record);
}

void Progress::show(const StepRecord &record) {
  note(record);
  if (quiet)
    return;
  double done = static_cast<double>(record.step - first + 1);
  double left = record.seconds / done * static_cast<double>(steps - record.step);
  if (terminal) {
    bool due = record.seconds - lastDrawn >= 0.1 || record.step == steps;
    if (due)
      drawBar(record, left);
    lastDrawn = due ? record.seconds : lastDrawn;
    return;
  }
  int64_t every = std::max<int64_t>(1, steps / 20);
  if (record.step != first && record.step % every != 0 && record.step != steps &&
      !record.validation)
    return;
  put(text("step %lld/%lld  %s%s\n", wide(record.step), wide(steps),
           numbers(record.validation, "  ", "val").c_str(), speed(record, left).c_str()));
}

void Progress::clear() {
  if (drawn)
    put("\r\033[K");
  drawn = false;
}

void Progress::say(const std::string &line) {
  if (quiet)
    return;
  clear();
  put(line + "\n");
}

/// What is shown is for people: where it cannot be written (a closed pipe or terminal, a full
/// disk), the training goes on and shows nothing more.
void Progress::put(const std::string &text) {
  quiet |= fputs(text.c_str(), stderr) < 0 || fflush(stderr) != 0;
}
