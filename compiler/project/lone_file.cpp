#include "compiler/project/lone_file.h"

#include <utility>

#include "frontend/load.h"
#include "frontend/python/parse.h"
#include "frontend/yaml_parser.h"

namespace gpulint {

Result<LoneFile> read_lone_file(const std::string& path, bool as_python) {
  Result<DecodedBytes> bytes = read_file(path);
  if (!bytes.ok()) return bytes.error();
  LoneFile result;
  result.sources = std::make_unique<SourceSet>();
  DecodedBytes decoded = std::move(bytes).value();
  result.file = result.sources->add(path, std::move(decoded.text), decoded.encoding);
  const SourceFile& file = result.sources->file(result.file);
  result.is_python = as_python && python::is_source(path);
  if (result.is_python) {
    result.statements = python::parse(file).statements;
  } else {
    result.documents = parse_file(file);
  }
  return result;
}

}  // namespace gpulint
