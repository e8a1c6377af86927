// The kinds whose libraries only those programs link that are trained on them (libweft_images.a,
// libweft_translation.a): in others a kind has its name, and nothing that reads it.
#include "runtime/data/OpenData.h"

using namespace weft::runtime;

[[gnu::weak]] DataReader imagesReader() asm("weft_images_reader");
[[gnu::weak]] DataReader pairsReader() asm("weft_pairs_reader");

static DataReader ifLinked(DataReader (*reader)()) {
  return reader ? reader() : DataReader();
}

DataKind weft::runtime::imagesKind() {
  return {"images", "PATH", true, ifLinked(imagesReader), "images(image, label)"};
}

DataKind weft::runtime::pairsKind() {
  return {"pairs", "FILE.tsv", true, ifLinked(pairsReader),
          "pairs(source, valid, target, label, length)"};
}
