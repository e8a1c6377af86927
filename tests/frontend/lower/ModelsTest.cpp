// Trained models and greedy decoding of the record, through the drafts that describe them, in
// float64.
#include "Systems.h"
#include "runtime/base/files/InputFile.h"
#include "tests/record/RecordedData.h"
#include "tools/weft/foreign/llama2c/Reader.h"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using reference::Array;
using reference::Floats;
using reference::Wholes;

namespace {

class Models : public AgainstRecord<> {
protected:
  Models() : AgainstRecord("seeds") {}

  static void agree(const char *what, const Array &found, const Array &recorded, double bound) {
    double far = difference(found, recorded);
    fmt::print("{:40} {:.1e}\n", what, far);
    EXPECT_LE(far, bound) << what;
  }

  const std::filesystem::path folder = recordedData("");
};

/// The first `count` of some ids, as one row of a batch.
Array row(const Array &ids, size_t first, size_t count) {
  const Wholes &all = ids.wholes();
  return {{1, static_cast<int64_t>(count)},
          Wholes(all.begin() + first, all.begin() + first + count)};
}

/// The index of the largest of each row of `width`.
Wholes largest(const Floats &scores, size_t width) {
  Wholes best;
  for (auto at = scores.begin(); at != scores.end(); at += width)
    best.push_back(std::max_element(at, at + width) - at);
  return best;
}

TEST_F(Models, Gpt2TinyAsRecorded) {
  Tensors tensors = readTensors(folder / "gpt2-tiny/tiny_gpt2.f32.safetensors");
  Tensors recorded = readTensors(folder / "gpt2-tiny/logits.safetensors");
  tensors["in.tokens"] = row(recorded.at("input_ids"), 0, 12);
  System system{
      "GPT-2 (tiny)", "gpt2", "logits", "", "vocab=1000,position=512,model=32,head=4,layer=5", {},
      "huggingface"};
  system.prefix = "transformer.";
  Prepared run(system, tensors);
  ASSERT_EQ(run.problem, "");
  auto results = run.run("logits", run.inputs);
  ASSERT_EQ(run.problem, "");
  agree("gpt2-tiny logits", results.outputs["output"], recorded.at("logits_f32"), 1e-7);
}

/// The tensors of a llama2.c file, by the names of its code.
Tensors readStories(const std::filesystem::path &path) {
  auto file = runtime::WholeFile::read(path);
  EXPECT_TRUE(file) << path;
  auto stored = weft::readLlama2c(file->bytes());
  EXPECT_TRUE(stored) << path;
  Tensors tensors;
  for (const runtime::StoredTensor &tensor : stored->tensors) {
    std::vector<float> values((tensor.end - tensor.begin) / sizeof(float));
    std::memcpy(values.data(), file->bytes().data() + tensor.begin, tensor.end - tensor.begin);
    tensors["theirs." + tensor.name] = {{tensor.shape.begin(), tensor.shape.end()},
                                        Floats(values.begin(), values.end())};
  }
  return tensors;
}

struct StoriesRun {
  explicit StoriesRun(const std::filesystem::path &folder, const char *entry)
      : tensors(readStories(folder / "stories/stories260K.bin")),
        system{"stories260K", "stories", entry, "", "", {}, "llama2c"} {
    system.prefix = "theirs.";
    system.config = "stories260K";
  }
  Tensors tensors;
  System system;
};

TEST_F(Models, StoriesLogitsAsRecorded) {
  StoriesRun stories(folder, "logits");
  Tensors recorded = readTensors(folder / "stories/ref/stories260K.logits.safetensors");
  stories.tensors["in.tokens"] = row(recorded.at("input_ids"), 0, 64);
  Prepared run(stories.system, stories.tensors);
  ASSERT_EQ(run.problem, "");
  auto results = run.run("logits", run.inputs);
  ASSERT_EQ(run.problem, "");
  agree("stories260K logits", results.outputs["output"], recorded.at("logits_f32"), 1e-7);
  Wholes best = largest(results.outputs["output"].floats(), 512);
  const Wholes &greedy = recorded.at("greedy_ids").wholes();
  EXPECT_EQ(best, Wholes(greedy.begin() + 1, greedy.begin() + 65)) << "what the C program says";
}

TEST_F(Models, StoriesGradientsAsRecorded) {
  StoriesRun stories(folder, "loss");
  Tensors recorded = readTensors(folder / "stories/ref/stories260K.grad.safetensors");
  const Array &ids = recorded.at("ids");
  size_t count = ids.shape[0] - 1;
  stories.tensors["in.tokens"] = row(ids, 0, count);
  stories.tensors["in.next"] = row(ids, 1, count);
  static const std::pair<const char *, const char *> named[] = {
      {"tok_emb", "token_embedding_table"},
      {"rms_att", "rms_att_weight"},
      {"rms_ffn", "rms_ffn_weight"},
      {"rms_final", "rms_final_weight"}};
  for (const char *name : {"wq", "wk", "wv", "wo", "w1", "w2", "w3"})
    stories.tensors[std::string("grad.") + name] = recorded.at(name);
  for (auto [recordedName, name] : named)
    stories.tensors[std::string("grad.") + name] = recorded.at(recordedName);
  Prepared run(stories.system, stories.tensors);
  ASSERT_EQ(run.problem, "");
  ASSERT_TRUE(run.lower({"loss"})) << run.problem;
  auto results = run.run("loss.gradient", run.inputs);
  ASSERT_EQ(run.problem, "");
  agree("stories260K loss", results.outputs["output"], recorded.at("loss_f64"), 1e-12);

  reference::NamedArrays gradients = run.load("grad.");
  ASSERT_EQ(run.problem, "");
  size_t compared = 0;
  for (auto &gradient : gradients) {
    ASSERT_TRUE(results.outputs.contains(gradient.getKey())) << gradient.getKey().str();
    agree(("stories260K d" + gradient.getKey().str()).c_str(), results.outputs[gradient.getKey()],
          gradient.getValue(), 1e-6);
    ++compared;
  }
  EXPECT_EQ(compared, 11u);
}

/// All tensors of a file under `prefix`.
Tensors prefixed(const Tensors &tensors, const std::string &prefix) {
  Tensors out;
  for (const auto &[name, tensor] : tensors)
    out[prefix + name] = tensor;
  return out;
}

/// Images of bytes, normalised as they were for training.
Array normalised(const Array &images, int64_t count) {
  Floats pixels = asFloats(images).floats();
  pixels.resize(count * 28 * 28);
  for (double &pixel : pixels)
    pixel = (pixel / 255 - 0.1307) / 0.3081;
  return {{count, 28, 28}, std::move(pixels)};
}

TEST_F(Models, MnistLogitsAndGradientsAsRecorded) {
  Tensors tensors =
      prefixed(readTensors(folder / "vit-mnist/vit_mnist_10class.f32.safetensors"), "theirs.");
  Tensors recorded = readTensors(folder / "vit-mnist/ref/t10k.safetensors");
  Tensors gradients = readTensors(folder / "vit-mnist/ref/grad_8images.safetensors");
  tensors["in.image"] = normalised(recorded.at("images_0_31"), 32);
  System system{"vit-mnist", "mnist", "logits", "", ""};
  system.prefix = "theirs.";
  system.config = "trained";
  Prepared forward(system, tensors);
  ASSERT_EQ(forward.problem, "");
  auto logits = forward.run("logits", forward.inputs);
  ASSERT_EQ(forward.problem, "");
  agree("vit-mnist logits", logits.outputs["output"], recorded.at("logits_0_31"), 1e-6);

  tensors["in.image"] = normalised(recorded.at("images_0_31"), 8);
  Wholes labels = recorded.at("labels_0_31").wholes();
  labels.resize(8);
  tensors["in.label"] = {{8}, labels};
  tensors.merge(prefixed(gradients, "grad."));
  tensors.erase("grad.loss_f64");
  system.entry = "loss";
  Prepared run(system, tensors);
  ASSERT_EQ(run.problem, "");
  ASSERT_TRUE(run.lower({"loss"})) << run.problem;
  auto results = run.run("loss.gradient", run.inputs);
  ASSERT_EQ(run.problem, "");
  agree("vit-mnist loss", results.outputs["loss"], gradients.at("loss_f64"), 1e-12);
  double worst = 0;
  for (auto &gradient : run.load("grad.")) {
    ASSERT_TRUE(results.outputs.contains(gradient.getKey())) << gradient.getKey().str();
    double far = difference(results.outputs[gradient.getKey()], gradient.getValue());
    EXPECT_LE(far, 1e-6) << gradient.getKey().str();
    worst = std::max(worst, far);
  }
  ASSERT_EQ(run.problem, "");
  fmt::print("{:40} {:.1e}\n", "vit-mnist gradients", worst);
}

TEST_F(Models, TransliterationAsRecorded) {
  Tensors tensors = prefixed(
      readTensors(folder / "transliteration/aren-transliteration.f32.safetensors"), "theirs.");
  Tensors recorded = readTensors(folder / "transliteration/ref/activations.safetensors");
  System system{"transliteration", "transliteration", "scores", "", ""};
  system.prefix = "theirs.";
  system.config = "trained";
  Prepared run(system, tensors);
  ASSERT_EQ(run.problem, "");
  for (std::string sample : {"0.", "1.", "2.", "3."}) {
    const Array &source = recorded.at(sample + "src_ids"),
                &target = recorded.at(sample + "tgt_ids");
    run.inputs["source"] = row(source, 0, source.shape[0]);
    run.inputs["target"] = row(target, 0, target.shape[0] - 1);
    auto results = run.run("scores", run.inputs);
    ASSERT_EQ(run.problem, "");
    agree(("transliteration " + sample + "encoder").c_str(), results.outputs["memory"],
          recorded.at(sample + "encoder_output"), 1e-7);
    agree(("transliteration " + sample + "log-probabilities").c_str(), results.outputs["output"],
          recorded.at(sample + "log_probs"), 1e-7);
  }
}

/// `decode` is defined as running the entry on all that is known and appending the best.
TEST_F(Models, TranslationDecodesAsRecorded) {
  Tensors tensors = readTensors(folder / "seeds/003-decode-correct.safetensors");
  System system{"003#translate", "translation", "logits", "",
                "svocab=17,tvocab=13,model=12,head=3,ff=10,below=2,above=2"};
  Prepared run(system, tensors);
  ASSERT_EQ(run.problem, "");
  constexpr int64_t batch = 4, vocab = 13, steps = 9;
  std::vector<Wholes> known(batch, {1});
  Wholes ids;
  Floats logits;
  for (int64_t step = 0; step < steps; ++step) {
    Array target{{batch, step + 1}, Wholes()};
    for (const Wholes &line : known)
      std::get<Wholes>(target.data)
          .insert(std::get<Wholes>(target.data).end(), line.begin(), line.end());
    run.inputs["target"] = target;
    auto results = run.run("logits", run.inputs);
    ASSERT_EQ(run.problem, "");
    const Floats &all = results.outputs["output"].floats();
    for (int64_t b = 0; b < batch; ++b) {
      auto last = all.begin() + ((b * (step + 1)) + step) * vocab;
      Floats scores(last, last + vocab);
      known[b].push_back(largest(scores, vocab).front());
      logits.insert(logits.end(), scores.begin(), scores.end());
    }
  }
  // Steps are outermost here, the batch in the file.
  Floats recorded(logits.size());
  const Floats &file = tensors.at("out.output").floats();
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t step = 0; step < steps; ++step)
      std::copy_n(file.begin() + (b * steps + step) * vocab, vocab,
                  recorded.begin() + (step * batch + b) * vocab);
  agree("003#translate logits", {{batch * steps * vocab}, logits},
        {{batch * steps * vocab}, recorded}, 1e-7);
  for (const Wholes &line : known)
    ids.insert(ids.end(), line.begin() + 1, line.end());
  EXPECT_EQ(ids, tensors.at("out.ids").wholes());
}

TEST_F(Models, FarPositionsAsRecorded) {
  Tensors tensors = readTensors(folder / "seeds/002-positions-far.safetensors");
  System system{"002#positions", "positions", "table", "", "pos=1000,d=32"};
  Prepared run(system, tensors);
  ASSERT_EQ(run.problem, "");
  auto results = run.run(run.function.getSymName(), {});
  ASSERT_EQ(run.problem, "");
  const Floats &all = results.outputs["output"].floats();
  agree("002#positions, rows 990 to 999", {{10, 32}, Floats(all.end() - 320, all.end())},
        tensors.at("out.output"), 1e-7);
}

} // namespace
