// The trainings of the record, and how far a replay is from them.
#include "Trainings.h"

#include <fmt/format.h>

namespace weft::test {

bool RecordedTraining::isNoise(llvm::StringRef parameter) const {
  return llvm::any_of(noise, [&](const std::string &end) { return parameter.ends_with(end); });
}

void PrintTo(const RecordedTraining &training, std::ostream *out) {
  *out << training.system.file;
}

static System training(std::string program, std::string file, std::string settings,
                       std::string clause) {
  System made{program, program, "train", file, settings};
  made.clause = clause;
  made.prefix = "init.";
  return made;
}

RecordedTraining recordedGpt() {
  return {training("gpt", "train-gpt",
                   "vocab=65,position=16,model=32,head=4,layer=2,warmup=5,least=0.001", "torch"),
          {"attn.k.bias"}};
}

RecordedTraining recordedTranslation() {
  return {training("translation", "train-seq2seq",
                   "svocab=194,tvocab=214,model=32,head=4,ff=16,below=2,above=2,rate=0", ""),
          {}};
}

RecordedTraining recordedImages() {
  return {training("cifar", "train-vit",
                   "channel=3,height=32,width=32,ph=4,pw=4,head=6,ff=32,layer=2,hidden1=16,"
                   "class=10",
                   ""),
          {"attn.k.bias", "head0.linear.bias", "norm2.bias"},
          255};
}

void Deviation::add(const Tensors &record, int64_t step, double loss, double norm, double rate) {
  auto recorded = [&](const char *name) { return record.at(name).floats()[step]; };
  this->loss = std::max(this->loss, std::abs(loss / recorded("out.loss") - 1));
  this->norm = std::max(this->norm, std::abs(norm / recorded("out.grad_norm") - 1));
  this->rate = std::max(this->rate, std::abs(rate - recorded("out.lr")));
}

std::string Deviation::text() const {
  return fmt::format("loss {:.1e}, gradient norm {:.1e}, rate {:.1e}, parameters {:.1e}", loss,
                     norm, rate, parameters);
}

} // namespace weft::test
