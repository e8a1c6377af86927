// What the weights of a program are multiplied by on some data, in second moments.
#ifndef WEFT_TOOLS_CALIBRATION_DATAMOMENTS_H
#define WEFT_TOOLS_CALIBRATION_DATAMOMENTS_H

#include "passes/model/moments/Moments.h"
#include "runtime/data/DataSource.h"
#include "tools/calibration/Axis.h"
#include "tools/calibration/RoundByMoments.h"

#include <map>

namespace weft::calibration {

/// The entry that measures a loss, built again with moments as further results (addMoments), and
/// their sums over data.
class DataMoments {
public:
  /// Adds that entry, `NAME.moments`, to a module of the stage `model`; of the first training.
  explicit DataMoments(mlir::ModuleOp module);

  /// Runs the entry on as many rows as `rowsOf` says, if there are, and adds up: rows that are
  /// spread over the data; of recorded batches the first ones, whole. `model` has the entry, and
  /// the weights.
  runtime::Status measure(runtime::Model &model, const runtime::DataSource &data);
  int64_t rows = 0;

  /// The moments of rows of a parameter, [rows][rows]: of what lies `base` elements behind its
  /// beginning, and the rows `offsets` behind that. Nothing where no product in the loss adds up
  /// these rows.
  std::optional<Matrix> of(const std::string &parameter, int64_t base,
                           const std::vector<int64_t> &offsets) const;

  /// As many rows as have so many positions, where rows are sequences; of at least 4 and at most
  /// 128, which are as many sequences as in GPTQ's experiments.
  static int64_t rowsOf(const runtime::DataSource &data, int64_t positions);

private:
  /// A result, and where what belongs to an element of a parameter lies in it.
  struct Place {
    unsigned result;
    std::vector<int64_t> bases, basesInResult;
    std::vector<int64_t> rows, rowsInResult, othersInResult;
  };
  void place(const model::Moment &moment, model::ParameterOp parameter, model::NamedTensorType type,
             mlir::ModuleOp module);
  runtime::Status add(runtime::EntryRun &run);

  std::string name;
  std::multimap<std::string, Place> places;     // by parameter
  std::map<unsigned, std::vector<double>> sums; // by result
};

} // namespace weft::calibration

#endif // WEFT_TOOLS_CALIBRATION_DATAMOMENTS_H
