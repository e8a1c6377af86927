// How long a kernel might take with a schedule.
#include "tools/tune/CostModel.h"

#include "ir/cpu/PlacedContraction.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"
#include "ir/kernel/work/Work.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

namespace weft::tune {
namespace {

// Of one core: cycles a second, bytes a second from memory and from the last cache.
constexpr double clock = 3e9, fromMemory = 8e9, fromCache = 20e9;
/// Seconds to start a task, and more than what is left of a last cache.
constexpr double perTask = 0.4e-6, lastCache = 16e6;

class Model {
public:
  Model(cpu::KernelCase kernel, const cpu::Machine &machine, int threads, const trial::Sizes &sizes)
      : kernel(kernel), machine(machine), threads(threads), sizes(sizes) {}

  double seconds(kernel::ScheduleAttr schedule) {
    return llvm::TypeSwitch<kernel::ScheduleAttr, double>(schedule)
        .Case([&](cpu::ContractionAttr each) { return contraction(each); })
        .Case([&](cpu::AttentionAttr each) { return attention(each); })
        .Case([&](cpu::AttentionGradAttr each) { return attentionGrad(each); })
        .Case([&](cpu::RowsAttr each) { return moved(elements() / double(each.getElements())); })
        .Case([&](cpu::ScatterAttr each) {
          return moved(std::min(elements() / double(each.getElements()), double(each.getTasks())));
        })
        .Case([&](cpu::PackAttr each) {
          return moved(elements() / double(each.getPanels() * each.getRows() * cpu::panelWidth));
        })
        .Default([](kernel::ScheduleAttr) { return 1.0; });
  }

private:
  double count(llvm::ArrayRef<model::DimAttr> dims) const {
    double product = 1;
    for (model::DimAttr dim : dims)
      product *= double(sizes.at(dim.str()));
    return product;
  }

  double elements() const {
    double most = 1;
    for (mlir::Value result : kernel.op->getResults())
      most = std::max(most, count(model::typeOf(result).getDims()));
    return most;
  }

  /// `work` seconds of one core, in equal tasks.
  double shared(double work, double tasks) const {
    tasks = std::max(std::ceil(tasks), 1.0);
    double rounds = std::ceil(tasks / threads);
    return work * rounds / tasks + rounds * perTask;
  }

  /// What reads and writes each element once.
  double moved(double tasks) const {
    kernel::SizesAt at = [&](const Size &size) {
      return *size.evaluate(
          [&](const std::string &name) { return std::optional<int64_t>(sizes.at(name)); });
    };
    auto work = kernel::workOf(kernel.op, kernel.dims, at);
    double bytes = failed(work) ? elements() * sizeof(float) : work->bytes();
    return shared(bytes / fromMemory, tasks);
  }

  /// Seconds of a product in register tiles, all in the first cache. A step along k is bound by
  /// products (two a cycle), by what is loaded (two a cycle) or by the latency of sums (four).
  double product(double rows, double columns, double k, cpu::Tile tile) const {
    double vectors = double(tile.width()) / double(machine.lanes),
           padded = std::ceil(columns / cpu::panelWidth) * cpu::panelWidth;
    auto step = [&](double height) {
      return std::max({height * vectors / 2, (height + vectors) / 2, 4.0});
    };
    double whole = std::floor(rows / double(tile.rows)), rest = rows - whole * double(tile.rows);
    double steps = whole * step(double(tile.rows)) + (rest > 0 ? step(rest) : 0);
    return steps * k * padded / double(tile.width()) / clock;
  }

  double contraction(cpu::ContractionAttr schedule) {
    auto form = cpu::readPlaced(kernel.op);
    if (failed(form))
      return 1;
    double batch = count(form->batch), rows = count(form->rows), total = 0, tasks = 0;
    double blockRows = std::min(rows, double(schedule.getRows()));
    for (const kernel::Segment &segment : form->segments) {
      double columns = count(segment.columns);
      double blockColumns = std::min(columns, double(schedule.getColumns()));
      double products = 0;
      for (const kernel::Sum &sum : segment.sums)
        for (const kernel::Term &term : sum.terms) {
          double k = count(term.k), blockK = std::min(k, double(schedule.getK()));
          products += rows * columns * k;
          total += batch * product(rows, columns, k, schedule.tileFor(int64_t(rows)));
          // The right side comes once for each block of rows, then from the second cache, if it
          // fits.
          double right = k * columns * sizeof(float), again = std::ceil(rows / blockRows) - 1;
          total += batch * right *
                   (1 / fromMemory + again / (right > lastCache ? fromMemory : fromCache));
          if (blockK * blockColumns * double(sizeof(float)) > double(machine.secondCache))
            total += batch * right * std::ceil(blockRows / double(schedule.getTile().rows)) /
                     fromCache / 4;
          double left = rows * k * sizeof(float);
          total += batch * left * std::ceil(columns / blockColumns) *
                   (schedule.getRowsFirst() ? 2 : 0.5) / fromCache;
          total +=
              batch * rows * columns * sizeof(float) * (2 * std::ceil(k / blockK) - 1) / fromCache;
        }
      double own = batch * std::ceil(rows / blockRows) * std::ceil(columns / blockColumns);
      double wanted =
          std::min(double(schedule.getTasks()), batch * products / double(schedule.getWork()));
      tasks += std::max(own, wanted);
    }
    return shared(total, tasks);
  }

  /// Seconds for `products` pairs of each score that a tile shows.
  double scores(const kernel::AttentionForm &form, double rows, double keys, double products) {
    kernel::SizesAt at = [&](const Size &size) {
      return *size.evaluate(
          [&](const std::string &name) { return std::optional<int64_t>(sizes.at(name)); });
    };
    double share = kernel::maskShare(form, at, {int64_t(rows), int64_t(keys)});
    return count(form.batch) * count(form.rows) * count(form.keys) * share *
           (products / (2 * double(machine.lanes)) + 1) / clock;
  }

  double attention(cpu::AttentionAttr schedule) {
    auto form = kernel::readAttention(kernel.op);
    if (failed(form))
      return 1;
    double rows = count(form->rows), keys = count(form->keys);
    double work = scores(*form, std::min(rows, double(schedule.getRows())),
                         std::min(keys, double(schedule.getKeys())),
                         count(form->depth) + count(form->values));
    // Each task turns the keys round.
    double positions = count(form->batch);
    double tasks = positions * std::ceil(rows / double(schedule.getTaskRows()));
    tasks = std::max(tasks, std::min(double(schedule.getTasks()),
                                     positions * std::ceil(rows / double(schedule.getRows()))));
    work += tasks * keys * count(form->depth) * 2 / clock;
    if (schedule.getSplitKeys() > 0 && tasks < double(schedule.getSplitTasks()))
      tasks *= std::max(1.0, std::min(std::floor(keys / double(schedule.getSplitKeys())),
                                      double(schedule.getSplitTasks()) / tasks));
    return shared(work, tasks);
  }

  double attentionGrad(cpu::AttentionGradAttr schedule) {
    auto form = kernel::readAttention(kernel.op);
    if (failed(form))
      return 1;
    double rows = count(form->rows), keys = count(form->keys), tasks = count(form->batch);
    double work = scores(*form, std::min(rows, double(schedule.getRows())),
                         std::min(keys, double(schedule.getKeys())),
                         3 * count(form->depth) + 2 * count(form->values));
    if (schedule.getSplitKeys() > 0 && tasks < double(schedule.getSplitTasks())) {
      double ranges = std::min(std::floor(keys / double(schedule.getSplitKeys())),
                               double(schedule.getSplitTasks()) / tasks);
      if (ranges > 1) { // each has gradients of all queries
        work += tasks * ranges * rows * count(form->depth) * 2 * sizeof(float) / fromCache;
        tasks *= ranges;
      }
    }
    return shared(work, tasks);
  }

  cpu::KernelCase kernel;
  const cpu::Machine &machine;
  int threads;
  const trial::Sizes &sizes;
};
} // namespace

double predicted(cpu::KernelCase kernel, kernel::ScheduleAttr schedule, const cpu::Machine &machine,
                 int threads, const trial::Sizes &sizes) {
  return Model(kernel, machine, threads, sizes).seconds(schedule);
}

} // namespace weft::tune
