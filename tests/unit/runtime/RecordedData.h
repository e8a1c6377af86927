// Where recordings of others are: `$WEFT_DATA`, else `shared/data` beside the repository.
#pragma once
#include <cstdlib>
#include <string>

inline std::string recordedData(const std::string &part) {
  const char *root = std::getenv("WEFT_DATA");
  return std::string(root ? root : WEFT_SOURCE "/../shared/data") + "/" + part;
}
