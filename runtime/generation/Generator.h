// Continuing sequences: prefill, then steps, through the `advance` entry and its caches.
#ifndef WEFT_RUNTIME_GENERATION_GENERATOR_H
#define WEFT_RUNTIME_GENERATION_GENERATOR_H

#include "runtime/generation/GivenInputs.h"
#include "runtime/model/EntryRun.h"

#include <span>

namespace weft::runtime {

class Generator {
public:
  /// Makes room for `capacity` positions of `rows` sequences that are continued side by side.
  /// Errors: more than one row where ids have no further dimension.
  static Result<Generator> create(Model &model, const Decoding &decoding, int64_t capacity,
                                  int64_t rows = 1);

  /// Gives what the decoding takes besides ids, for all rows; forgets all positions. Errors: an
  /// input that is none, or of another rank.
  Status give(const std::string &input, GivenInput value);
  Status give(GivenInputs values);
  /// Says how many sequences there are from now on; forgets all positions.
  Status setRows(int64_t count);
  int64_t rows() const { return rowCount; }

  /// Takes in further ids, as many for each row, row after row, and gives the logits of the token
  /// after the last of each row: rows x vocabulary; they last until the next call. Errors: an input
  /// that was not given.
  Result<std::span<const float>> advance(std::span<const int32_t> ids);
  /// Logits as advance() gives them, after each of some ids.
  using EachLogits = std::vector<std::span<const float>>;
  /// The same of several ids of each row, as if they were taken in one by one, to the bit; the
  /// logits after each of them. They are computed side by side, which takes less than one by one
  /// where memory is what takes the time. Errors: as advance() and checkSideBySide().
  Result<EachLogits> advanceEach(std::span<const int32_t> ids);
  /// What a generator is to take in, as advanceEach() takes it.
  struct Turn {
    Generator *generator;
    std::span<const int32_t> ids;
  };
  /// The same of several generators of one decoding, which may know different numbers of positions;
  /// the logits of each. Each generator is in one turn. A device computes one after the other.
  /// Errors: as advanceEach(), but one id of each row always may; all generators are as before.
  static Result<std::vector<EachLogits>> advanceTogether(std::span<const Turn> turns);
  /// Whether the last such call did compute all of it side by side.
  bool wentSideBySide() const { return sideBySide; }
  /// Whether several ids can be taken in side by side. Errors: there is a running total, which is
  /// no memory of single positions; a device computes.
  Status checkSideBySide() const;
  /// Whether both continue with the same entry of the same model.
  bool isLike(const Generator &other) const {
    return model == other.model && decoding == other.decoding;
  }
  /// Row r goes on from what row from[r], which is one, has taken in, inputs included. Errors: an
  /// input that was given for another number of rows. On an error nothing has changed.
  Status reorder(std::span<const int64_t> from);
  /// Another generator, which knows what this one knows: its row r goes on from row from[r], which
  /// is one, of this one. Errors: as setRows(), reorder().
  Result<Generator> branch(std::span<const int64_t> from);
  /// How many positions are known, of each row.
  int64_t known() const { return position; }
  /// How many ids there are.
  int64_t vocabulary() const;
  /// Forgets the positions from `known` on. Errors: there are not so many; there is a running
  /// total, which can only go back to the beginning.
  Status rewind(int64_t known);
  /// Counts so many positions as known, whatever they hold: for what is timed and not used.
  void assumeKnown(int64_t known) { position = known; }

private:
  /// A cache by number of the input that it is.
  struct Cache {
    int input;
    bool total; // of a running sum: `advance` writes all of it
    std::vector<int64_t> shape;
    std::unique_ptr<Mirror> memory; // stays where it is: runs point to it
    CodeMemory before;              // of a total: what it was before a step
  };
  /// What was given, as code reads it, by name of the input.
  using GivenMemory = std::map<std::string, Mirror>;
  Generator(Model &model, const Decoding &decoding)
      : model(&model), decoding(&decoding), run(model, decoding.advance) {}
  Status findArguments();
  Status checkGiven() const;
  bool isTotal(const Argument &input) const;
  Status allocateCaches();
  /// Gives a run of `advance` the caches and what was given.
  void bind(EntryRun &each);
  Status checkRoom(int64_t fresh) const;
  /// Fills the caches of what does not depend on the sequence.
  Status begin();
  /// Of a run that takes in `fresh` ids where `known` are known.
  Status setSizes(EntryRun &each, int64_t fresh, int64_t known) const;
  /// The logits behind the last id that a run took in.
  std::span<const float> lastLogits(const EntryRun &each) const;
  Status compute();
  Status keepTotals();
  void undoStep(bool totalsKept);
  /// How many ids each row is to take in. Errors: not as many each; no input, no room.
  Result<int64_t> checkTurn(std::span<const int32_t> ids) const;
  /// Gets the steps ready that take in these ids one by one.
  Status prepareSteps(std::span<const int32_t> ids, int64_t count);
  class Undoing;
  static Result<std::vector<EachLogits>> advanceOneByOne(std::span<const Turn> turns);
  void restart();
  void take(const std::string &name, GivenInput value);
  /// Where a tensor of these dimensions has the rows; its rank where it has none.
  size_t rowsAt(const std::vector<int> &dims) const;
  /// What was given is there for so many rows as there are.
  Status checkGivenRows() const;
  Model *model;
  const Decoding *decoding;
  EntryRun run;
  std::optional<EntryRun> first;                // of `begin`
  std::vector<std::unique_ptr<EntryRun>> steps; // of single positions, side by side
  GivenInputs given;
  GivenMemory givenMemory;   // over `given`
  CodeMemory room;           // for rows that change places
  std::vector<Cache> caches; // in the order of the inputs; none before they are allocated
  int64_t capacity = 0, position = 0, rowCount = 1;
  int tokens = -1, logits = -1, batch = -1; // inputs of ids, output of logits, dimension of rows
  bool allocated = false, begun = false, sideBySide = false;
};

/// Errors: an id that the model does not have.
Status checkId(const Facts &facts, const Decoding &decoding, int32_t id);

/// The entry made by `decode` of this name; the first where `name` is nullptr. The error lists
/// those there are.
Result<const Decoding *> findDecoding(const Facts &facts, const char *name);

/// The most positions that a build has room for, and the dimension that says so; nothing where
/// there is no bound.
struct ContextLimit {
  int64_t positions;
  int dimension;
};
std::optional<ContextLimit> contextLimit(const Facts &facts, const Decoding &decoding);

} // namespace weft::runtime
#endif
