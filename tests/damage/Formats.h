// The formats that programs read: a good file of each, and what reads it.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Files of a folder, by name.
using Files = std::map<std::string, std::string>;

struct Format {
  std::string name;
  std::string damaged; // which file of the folder is damaged; "" for any of them
  Files good;
  /// Reads and uses what is in the folder; gives what it was refused with, "" where it was not.
  std::function<std::string(const std::string &folder)> use;
  /// How many bytes of memory may be needed for each of the file: what unpacks may be larger.
  uint64_t factor = 256;
};

std::vector<Format> formats();

std::vector<Format> tokenizerFormats();
std::vector<Format> imageFormats();
std::vector<Format> checkpointFormats();
std::vector<Format> dataFormats();
