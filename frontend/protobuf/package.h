#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"

namespace gpulint::package {

/// The tasks and workflows of a package as one line of JSON: a list of flyteidl's TaskSpec and
/// WorkflowSpec in protobuf's JSON mapping, with the fields of frontend/protobuf/flyteidl.h, sorted
/// by file. `bytes` are a `.pb` or an archive of them, compressed or not; archives in archives are
/// not read. An Error (a sentence fragment) if the bytes are damaged, too large, or contain nothing
/// registered.
[[nodiscard]] Result<std::string> unpack(std::string_view bytes);

/// The document of a file with the result of unpack().
[[nodiscard]] std::unique_ptr<Document> parse(const SourceFile& file);

}  // namespace gpulint::package
