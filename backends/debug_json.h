#pragma once

#include <memory>
#include <ostream>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/python.h"

namespace gpulint {

/// A file's documents; embedded ones come after their hosts.
using Documents = std::vector<std::unique_ptr<Document>>;

/// `gpulint debug json`: one line for each document with the JSON that Kubernetes reads. Errors,
/// and what a strict parser reports, go to `errors`. Returns whether all documents were read.
[[nodiscard]] bool write_kubernetes_json(const SourceFile& file, const Documents& documents,
                                         std::ostream& out, std::ostream& errors);

/// `gpulint debug spans`: every scalar and key as JSON lines: `{"doc", "path", "start", "end",
/// "style", "text"}`. `path` is a JSON pointer of keys and indexes, followed by `#key` for a key.
/// `start` and `end` are byte offsets of the text, including quotes. Returns false if a document
/// has a syntax error; those go to `errors`.
[[nodiscard]] bool write_all_spans(const SourceFile& file, const Documents& documents,
                                   std::ostream& out, std::ostream& errors);

/// The parts of a Python source that tasks are read from: functions with their decorators, and
/// keyword arguments.
void write_python_spans(const std::vector<python::Statement>& statements, std::ostream& out);

}  // namespace gpulint
