// What the hand-written language model is, whatever runs it: its sizes, and its facts as the
// compiler would write them.
#pragma once
#include <cstdint>
#include <string>

#ifndef BIGRAM_VOCAB
#define BIGRAM_VOCAB 128
#endif

namespace bigram {
constexpr int64_t V = BIGRAM_VOCAB, layers = 2;
enum Dim { batch, seq, vocab, layer, known, fresh, capacity, key, dims };
enum Param { table, bias, before, tableM, biasM, beforeM, tableV, biasV, beforeV };
constexpr int64_t counts[] = {V * V, layers *V, V *V};

inline std::string parameter(const char *name, const char *shape, int loops, const char *kind,
                             const char *init, const char *value) {
  return std::string(R"({"name": ")") + name + R"(", "dims": )" + shape + R"(, "loops": )" +
         std::to_string(loops) + R"(, "element": "float", "kind": ")" + kind + R"(", "init": ")" +
         init + R"(", "value": )" + value + "}";
}

inline std::string facts() {
  std::string v = std::to_string(V);
  std::string out =
      R"({"weft": 1, "source": "bigram.weft", "config": "tiny", "settings": {"vocab": )" + v +
      R"(, "layer": 2},
    "reads": {"*": {"layer": 2}, "train": {"layer": 2, "peak": 0.01}},
    "dims": [{"name": "batch", "size": null, "bound": 64, "line": 2},
             {"name": "seq", "size": null, "bound": 32, "line": 2},
             {"name": "vocab", "size": )" +
      v + R"(, "bound": null, "line": 3},
             {"name": "layer", "size": 2, "bound": null, "line": 3},
             {"name": "known", "size": null, "bound": null},
             {"name": "new", "size": null, "bound": null},
             {"name": "capacity", "size": null, "bound": 32},
             {"name": "key", "size": null, "bound": 32, "formula": [[1, 4], [1, 5]], "line": 2}],
    "parameters": [)";
  out += parameter("table", "[2, 2]", 0, "parameter", "normal", "0.02") + ",";
  out += parameter("layer.bias", "[3, 2]", 1, "parameter", "uniform", "0.02") + ",";
  out += parameter("before", "[2, 2]", 0, "parameter", "normal", "0.02");
  for (const char *moment : {"mean", "square"})
    for (const char *name : {"table", "layer.bias", "before"}) {
      bool stacked = name[0] == 'l';
      out += "," + parameter((std::string("adam.") + moment + "." + name).c_str(),
                             stacked ? "[3, 2]" : "[2, 2]", stacked, "optimizer", "constant", "0");
    }
  return out + R"(],
    "packed": [{"bytes": [[4, 2]], "of": 1}],
    "entries": [
     {"name": "logits", "kind": "plain",
      "inputs": [{"name": "tokens", "element": "int", "dims": [0, 1], "index": 2}],
      "outputs": [{"name": "output", "element": "float", "dims": [0, 1, 2]}], "packed": [0]},
     {"name": "loss", "kind": "plain",
      "inputs": [{"name": "tokens", "element": "int", "dims": [0, 1], "index": 2},
                 {"name": "next", "element": "int", "dims": [0, 1], "index": 2}],
      "outputs": [{"name": "loss", "element": "float", "dims": []},
                  {"name": "accuracy", "element": "float", "dims": []}],
      "work": [[[[4, 0, 1, 2]]]], "packed": [0]},
     {"name": "loss.gradient", "kind": "gradient",
      "inputs": [{"name": "tokens", "element": "int", "dims": [0, 1], "index": 2},
                 {"name": "next", "element": "int", "dims": [0, 1], "index": 2}],
      "outputs": [{"name": "loss", "element": "float", "dims": []},
                  {"name": "accuracy", "element": "float", "dims": []},
                  {"name": "d.table", "element": "float", "dims": [2, 2], "gradient_of": "table"},
                  {"name": "d.layer.bias", "element": "float", "dims": [3, 2], "gradient_of": "layer.bias"},
                  {"name": "d.before", "element": "float", "dims": [2, 2], "gradient_of": "before"}],
      "work": [[[[4, 0, 1, 2]]]], "packed": [0]},
     {"name": "train.update", "kind": "update",
      "inputs": [{"name": "table", "element": "float", "dims": [2, 2], "gradient_of": "table"},
                 {"name": "layer.bias", "element": "float", "dims": [3, 2], "gradient_of": "layer.bias"},
                 {"name": "before", "element": "float", "dims": [2, 2], "gradient_of": "before"},
                 {"name": "step", "element": "int", "dims": []},
                 {"name": "steps", "element": "int", "dims": []}],
      "outputs": [{"name": "norm", "element": "float", "dims": []}, {"name": "rate", "element": "float", "dims": []}],
      "writes": [0, 1, 2, 3, 4, 5, 6, 7, 8]},
     {"name": "generate.advance", "kind": "advance",
      "inputs": [{"name": "tokens", "element": "int", "dims": [0, 5], "index": 2},
                 {"name": "rows", "element": "float", "dims": [0, 6, 2], "cache": true}],
      "outputs": [{"name": "output", "element": "float", "dims": [0, 5, 2]}],
      "packed": [0],
      "obligations": [{"text": "`known + new` is {left}, but `capacity` is {right}", "dims": [4, 5, 6],
                       "relation": "at_most", "left": [[1, 7]], "right": [[1, 6]]}]}],
    "training": [{"name": "train", "gradient": "loss.gradient", "update": "train.update", "entry": "loss",
                  "metrics": ["accuracy"], "data": {"kind": "text", "arguments": {"tokens": "tokens", "next": "next"}}}],
    "decoding": [{"name": "generate", "advance": "generate.advance", "argument": "tokens", "dim": 1, "start": 0, "max": 8,
                  "known": 4, "new": 5, "capacity": 6}]})";
}

} // namespace bigram
