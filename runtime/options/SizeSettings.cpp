// Reading DIM=N,...
#include "runtime/options/SizeSettings.h"

using namespace weft::runtime;

Result<std::vector<SizeSetting>>
weft::runtime::readSizeSettings(const Options &options, const char *option, int64_t least) {
  std::vector<SizeSetting> settings;
  for (const std::string &given : options.all(option))
    for (size_t begin = 0; begin <= given.size();) {
      size_t end = std::min(given.find(',', begin), given.size());
      std::string item = given.substr(begin, end - begin);
      size_t equals = item.find('=');
      std::string dimension = item.substr(0, equals);
      char *rest = nullptr;
      long long size =
          equals == std::string::npos ? least - 1 : strtoll(item.c_str() + equals + 1, &rest, 10);
      if (dimension.empty() || size < least || size > INT32_MAX || !rest ||
          rest == item.c_str() + equals + 1 || *rest)
        return Error{Code::Usage,
                     text("--%s %s: expected DIM=N, a dimension and a whole number from %lld to "
                          "%lld, as in --%s batch=2,seq=64",
                          option, item.c_str(), wide(least), wide(INT32_MAX), option)};
      for (const SizeSetting &before : settings)
        if (before.dimension == dimension)
          return Error{Code::Usage, text("--%s %s: `%s` is %lld already", option, item.c_str(),
                                         dimension.c_str(), wide(before.size))};
      settings.push_back({dimension, size});
      begin = end + 1;
    }
  return settings;
}
