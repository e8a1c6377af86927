// The loss of a program as float32, run in this process on the data of `--calibrate`.
#ifndef WEFT_TOOLS_WEFT_BUILD_CALIBRATIONRUN_H
#define WEFT_TOOLS_WEFT_BUILD_CALIBRATIONRUN_H

#include "tools/calibration/DataMoments.h"
#include "tools/calibration/RoundedParameters.h"
#include "tools/reduce/compiled/NativeCode.h"
#include "tools/weft/build/CarriedWeights.h"
#include "tools/weft/build/Scratch.h"

#include "runtime/data/OpenData.h"

namespace weft {

class CalibrationRun {
public:
  /// Builds the program of these arguments once more, with the weights of `carried`, which must
  /// outlive it, and measures moments. Prints what is wrong; then it is not good.
  CalibrationRun(const Arguments &arguments, CarriedWeights &carried);
  bool isGood() const { return good; }
  /// Of data that moments were measured on.
  int64_t rows() const { return moments->rows; }

  enum class Rounding { byMoments, nearest };
  /// Rounds the carried weights of a parameter, slice by slice, for runs of the loss; why not, if
  /// they were left as they are.
  std::optional<std::string> round(const std::string &parameter,
                                   const calibration::RoundedSlice &slice, Rounding how);
  /// The loss with what has been rounded, on some of the rows; nothing if it cannot be measured.
  std::optional<double> loss();
  /// What a parameter is rounded to now.
  std::vector<float> valuesOf(const std::string &parameter);
  /// Carries these values of a parameter, and runs the loss with them.
  void keep(const std::string &parameter, const std::vector<float> &values);

private:
  bool prepare(const Arguments &arguments);
  float *floatsOf(const std::string &parameter);

  CarriedWeights &carried;
  ScratchFolder folder; ///< of tokenizers
  std::optional<calibration::DataMoments> moments;
  reduce::NativeCode code;
  std::unique_ptr<runtime::Model> model;
  std::unique_ptr<runtime::DataSource> data;
  bool good;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_CALIBRATIONRUN_H
