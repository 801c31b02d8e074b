#pragma once

#include <memory>
#include <ostream>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/python.h"

namespace gpulint {

/// Of a file, embedded ones after their hosts.
using Documents = std::vector<std::unique_ptr<Document>>;

/// `gpulint debug json`: a line a document, the JSON that Kubernetes reads. Refusals and what a
/// strict reader says go to `errors`. Returns whether none was refused.
[[nodiscard]] bool write_kubernetes_json(const SourceFile& file, const Documents& documents,
                                         std::ostream& out, std::ostream& errors);

/// `gpulint debug spans`: every scalar and key as JSON lines: `{"doc", "path", "start", "end",
/// "style", "text"}`. `path` is a JSON pointer of keys and indices, with `#key` behind those of
/// keys; `start` and `end` are byte offsets of the text, quotes included. Returns whether no
/// document has a syntax error; those go to `errors`.
[[nodiscard]] bool write_all_spans(const SourceFile& file, const Documents& documents,
                                   std::ostream& out, std::ostream& errors);

/// What of a Python source tasks are read from: functions with what decorates them, and keyword
/// arguments.
void write_python_spans(const std::vector<python::Statement>& statements, std::ostream& out);

}  // namespace gpulint
