// Greedy decoding of the record, step by step through a compiled program; far positions.
#include "Compiled.h"
#include "Largest.h"
#include "tests/frontend/lower/Systems.h"
#include "tests/record/RecordedData.h"

using namespace weft;
using namespace weft::test;
using reference::Array;
using reference::Floats;
using reference::NamedArrays;
using reference::Wholes;

namespace {

class RecordDecode : public AgainstRecord<> {
protected:
  RecordDecode() : AgainstRecord("seeds") {}

  static void agree(const System &system, const Array &found, const Array &recorded) {
    double far = difference(found, recorded);
    largest().add("outputs", far, system.file + " output", system.program);
    EXPECT_LE(far, 1e-5);
    largest().addFile(system.file);
  }

  /// `decode` is defined as running the entry on all that is known and appending the best.
  static void decode(const System &system) {
    Tensors tensors = tensorsOf(system);
    Prepared prepared(system, tensors);
    ASSERT_EQ(prepared.problem, "");
    ASSERT_TRUE(prepared.lower()) << prepared.problem;
    Compiled compiled(*prepared.module);
    compiled.setParameters(prepared.parameters);
    const Array &recorded = tensors.at("out.output");
    int64_t batch = recorded.shape[0], steps = recorded.shape[1], vocab = recorded.shape[2];
    std::vector<Wholes> known(batch, {1});
    Array logits{recorded.shape, Floats(reference::countOf(recorded.shape))};
    Wholes ids(batch * steps);
    for (int64_t step = 0; step < steps; ++step) {
      Wholes target;
      for (const Wholes &line : known)
        target.insert(target.end(), line.begin(), line.end());
      prepared.inputs["target"] = {{batch, step + 1}, std::move(target)};
      NamedArrays results = compiled.run("logits", prepared.inputs);
      const Floats &all = results["output"].floats();
      for (int64_t b = 0; b < batch; ++b) {
        auto last = all.begin() + (b * (step + 1) + step) * vocab;
        std::copy_n(last, vocab,
                    std::get<Floats>(logits.data).begin() + (b * steps + step) * vocab);
        ids[b * steps + step] = std::max_element(last, last + vocab) - last;
        known[b].push_back(ids[b * steps + step]);
      }
    }
    agree(system, logits, recorded);
    EXPECT_EQ(ids, tensors.at("out.ids").wholes());
  }

  System translating{"003#translate", "translation", "logits", "003-decode-correct",
                     "svocab=17,tvocab=13,model=12,head=3,ff=10,below=2,above=2"};
};

TEST_F(RecordDecode, Correct) {
  decode(translating);
}

/// The seed gives every step the encoding of position 0.
TEST_F(RecordDecode, AsInSeed) {
  translating.file = "003-decode-as-in-seed";
  translating.edit = {"sinusoid[tgt, model]()", "where(index(model) % 2 == 0, 0, 1)"};
  decode(translating);
}

TEST_F(RecordDecode, FarPositions) {
  System system{"002#positions", "positions", "table", "002-positions-far", "pos=1000,d=32"};
  Tensors tensors = tensorsOf(system);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  ASSERT_TRUE(prepared.lower()) << prepared.problem;
  NamedArrays results = Compiled(*prepared.module).run("table", {});
  const Floats &all = results["output"].floats();
  agree(system, {{10, 32}, Floats(all.end() - 320, all.end())}, tensors.at("out.output"));
}

} // namespace
