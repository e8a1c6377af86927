// llama2.c v0 out: seven int32, then floats.
#include "tools/weft/foreign/llama2c/Writer.h"

#include "runtime/base/files/NewFile.h"

using namespace weft;
using namespace weft::runtime;

Status weft::writeLlama2c(const std::string &path, const Llama2cHeader &header,
                          const std::function<std::vector<float>(const StoredTensor &)> &values) {
  auto tensors = llama2cTensors(header);
  if (!tensors)
    return Error{Code::Value, path + ": the header would say " + tensors.error().message};
  Result<NewFile> file = NewFile::create(path);
  if (!file)
    return file.error();
  if (Status written = file->write(&header, sizeof header); !written)
    return written;
  for (const StoredTensor &tensor : *tensors)
    if (Status written = file->write(values(tensor).data(), tensor.end - tensor.begin); !written)
      return written;
  return file->commit();
}
