// Configuration: which sizes and options a build has, from the program, its config and the command
// line.
#pragma once

#include "frontend/configure/SizeEquation.h"
#include "frontend/configure/Static.h"
#include "frontend/configure/StorageSettings.h"
#include "frontend/source/Diagnostic.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// What the user asked for: `--config tiny --set layer=48,act=relu`.
struct Settings {
  std::string config;                                   ///< empty: none
  std::vector<std::pair<std::string, std::string>> set; ///< in order; a later one wins
};

/// A dimension of the program, at the top of a file.
struct Dimension {
  std::string name;
  const ast::DimDef *definition = nullptr;
  KnownSize size;                 ///< its own name, if it comes with the data
  std::optional<Size> bound;      ///< in names, as the source has it
  std::vector<std::string> parts; ///< of `dim token = class | seq`
};

/// The sizes and options of one build.
struct Configuration {
  std::vector<Dimension> dims; ///< in the order of the source
  std::map<std::string, Static, std::less<>> options;
  std::string config;
  std::optional<model::Precision> precision;            ///< that the config says
  std::optional<model::CacheFormat> cachesAs;           ///< how it keeps caches
  std::optional<std::string> weightsAs;                 ///< the same, as `--weights-as` takes it
  std::optional<std::string> recompute;                 ///< as `--recompute-budget` takes it
  std::vector<std::pair<std::string, Static>> settings; ///< what `Settings::set` set, read

  const Dimension *dim(std::string_view name) const;
};

/// Chooses and checks. Only undefined dimensions and options can be set; sizes must be whole,
/// positive, divide where an equation says so, and keep their bounds. What an option's default
/// names is read as it was set. Gives nothing if there were errors (E0600 to E0607).
std::optional<Configuration> configure(const sema::Program &program, const Settings &settings,
                                       Diagnostics &diagnostics);

} // namespace weft
