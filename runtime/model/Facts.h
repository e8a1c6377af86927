// What a program says of itself: dimensions, parameters, entries, training, decoding. The JSON is
// in docs/abi.md.
#ifndef WEFT_RUNTIME_MODEL_FACTS_H
#define WEFT_RUNTIME_MODEL_FACTS_H

#include "runtime/base/Error.h"
#include "runtime/model/SizeFormula.h"
#include "runtime/tensors/ElementType.h"

#include <map>
#include <vector>

namespace weft::runtime {

/// A dimension is fixed (`size`), follows from those that come with the data (`formula`), or comes
/// with the data, then perhaps bounded.
struct Dimension {
  std::string name;
  std::optional<int64_t> size, bound;
  std::optional<SizeFormula> formula;
  int64_t line = 0; // in the source; 0 if unknown
};

/// Parameters are trained; states (running means) are saved with them; optimizer states are saved
/// with a checkpoint.
enum class ParameterKind { Parameter, State, Optimizer };
enum class InitialValue { Normal, TruncatedNormal, Uniform, Constant };

struct Parameter {
  std::string name;
  std::vector<int>
      dims; // numbers of dimensions; the first `loops` are those of the repeats it lies in
  int loops = 0;
  Element element = Element::Float;
  ParameterKind kind = ParameterKind::Parameter;
  InitialValue initial = InitialValue::Constant;
  double value = 0;         // standard deviation, half width, or the constant
  bool packedAlone = false; // a program that carries its weights has what is packed of it alone
};

struct Argument {
  std::string name;
  Element element = Element::Float;
  std::vector<int> dims;
  int index = -1;         // the dimension that an int indexes, or -1
  bool cache = false;     // an input that the run also writes
  bool once = false;      // or that a decoding's `begin` has filled, and the run only reads
  std::string gradientOf; // the parameter or input that this is the gradient of, or empty
};

/// `multiple`: `right` is at least 1 and divides `left`.
enum class SizeRelation { AtMost, Equal, Multiple };

/// Something that must hold of the sizes of a run: what is said where it does not, with `{left}`
/// and `{right}` for the two numbers, and the dimensions that come with the data and decide it.
struct Obligation {
  std::string text;
  std::vector<int> dims;
  SizeRelation relation = SizeRelation::AtMost;
  SizeFormula left, right;
};

/// What entries make of parameters before they run. Those that make the same share it, unless it
/// varies: then each run has its own.
struct PackedFacts {
  SizeFormula bytes;
  int of = -1;             // the parameter that it is made of; -1: of several
  std::vector<int> varies; // the dimensions that come with the data and decide what is made
  bool carried = false;    // by the program
  /// Of what is carried, which has one size.
  int64_t carriedBytes() const { return carried ? bytes.at(nullptr).value : 0; }
};

enum class EntryKind { Plain, Gradient, Update, Begin, Advance };

struct Entry {
  std::string name;
  EntryKind kind = EntryKind::Plain;
  std::vector<Argument> inputs, outputs;
  std::vector<Obligation> obligations;
  BufferSizes work;        // its intermediate values
  BuffersBehind behind;    // of `work`
  std::vector<int> packed; // by number in the facts', what it reads of parameters
  std::vector<int> writes; // numbers of parameters: those that an update changes, states
};

/// How an entry is trained: `gradient` and `update` are numbers of entries, `loss` the entry that
/// gives the same loss without training (-1 if it was not built). `metrics`: what that entry gives
/// beside its first result, which is minimized. `arguments`: what the data source calls it -> the
/// entry's argument. Where it can only be evaluated, in a program built with --inference,
/// `gradient` is the entry of the loss, which has the same inputs, and `update` -1.
struct Training {
  std::string name, dataKind;
  int gradient = -1, update = -1, loss = -1;
  std::vector<std::string> metrics;
  std::map<std::string, std::string> arguments;
};

/// How an entry continues a sequence. `dim` grows; `known`, `fresh`, `capacity` are the dimensions
/// of `advance`. `begin` fills the caches of what does not depend on the sequence, if there is
/// something (-1: no).
struct Decoding {
  std::string name, argument;
  int begin = -1, advance = -1, dim = -1, known = -1, fresh = -1, capacity = -1;
  std::optional<int64_t> start; // the id that an empty prompt stands for
  std::optional<int64_t> max;   // tokens to make, unless asked otherwise
};

/// A kernel, and what it has to do at least. Operations count what a mask hides (`isMasked`); of
/// each operand, and of what is written, the bytes of the whole and those of the parts, whichever
/// are fewer.
struct KernelFacts {
  std::string name, family;
  std::vector<int64_t> lines;  // of the source
  std::optional<int64_t> dots; // of what is several: those of its first one's name
  SizeFormula products, others;
  std::vector<std::pair<SizeFormula, SizeFormula>> reads;
  std::pair<SizeFormula, SizeFormula> writes;
  bool isMasked = false;
  bool multipliesPairs = false; // products, of an attention some, are of bfloat16 on both sides
  bool multipliesScaledPairs = false; // or of bfloat16 and whole numbers, by words
};

struct CarriedText {
  std::string name; // as of a checkpoint's file
  int64_t bytes;
};

/// What lies behind the code of the program (runtime/model/Carried.h): all parameters and states,
/// some of them packed, then the texts that belong to them, by name.
struct CarriedFacts {
  std::vector<CarriedText> texts;
};

struct Facts {
  std::string source, config;
  std::optional<int64_t> cores;         // that its kernels should have work for, if --cores said so
  std::map<std::string, int64_t> tuned; // by instruction set: kernels with a tuned schedule
  std::string precision;                // "float32", or how else floats are kept between kernels
  std::string weights; // which are whole numbers, as --weights-as said; empty: none
  std::string reads;   // JSON text: by entry, the settings that it reads
  std::vector<Dimension> dims;
  std::vector<Parameter> parameters;
  std::vector<PackedFacts> packed;
  std::vector<Entry> entries;
  std::vector<Training> trainings;
  std::vector<Decoding> decodings;
  std::vector<KernelFacts> kernels;
  std::optional<CarriedFacts> carried;

  /// The number of what has this name, or -1.
  int dimension(std::string_view name) const;
  int entry(std::string_view name) const;
  int parameter(std::string_view name) const;
  /// Whether the program can be trained.
  bool trains() const { return !trainings.empty() && trainings.front().update >= 0; }
  /// "[batch, seq]"
  std::string dimNames(const std::vector<int> &dims) const;
  /// " (gpt.weft:2)", or nothing where the line is unknown.
  std::string place(const Dimension &dimension) const;
};

/// The position of an argument by name, or -1.
int argumentNamed(const std::vector<Argument> &arguments, std::string_view name);

/// Reads a program's JSON. Errors are Internal: the compiler wrote it.
Result<Facts> readFacts(std::string_view json);

} // namespace weft::runtime
#endif
