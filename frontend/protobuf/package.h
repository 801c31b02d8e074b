#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"

namespace gpulint::package {

/// What a package says of its tasks and workflows, as one line of JSON: a list of flyteidl's
/// TaskSpec and WorkflowSpec in protobuf's own mapping, as far as frontend/protobuf/flyteidl.h has
/// their fields, sorted by the files that they come from. `bytes` are a `.pb`, or an archive of
/// them, compressed or not; archives in archives are not entered. An Error (a sentence fragment)
/// for what is damaged, too large, or holds nothing that is registered.
[[nodiscard]] Result<std::string> unpack(std::string_view bytes);

/// The document of a file that holds what unpack() made.
[[nodiscard]] std::unique_ptr<Document> parse(const SourceFile& file);

}  // namespace gpulint::package
