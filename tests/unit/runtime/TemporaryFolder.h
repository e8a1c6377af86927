// A folder for the files of one test, removed when it ends.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft-XXXXXX").string();
    root = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(root); }
  std::string operator/(const std::string &name) const { return root + "/" + name; }
  std::string path() const { return root; }

private:
  std::string root;
};

inline std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeAll(const std::string &path, const std::string &contents) {
  std::ofstream(path, std::ios::binary) << contents;
}
