#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"

namespace gpulint {

struct Project;
struct Request;

/// A part of what was piped in, and the file that it was made of.
struct StreamOrigin {
  Span span;
  std::string file;
};

/// The object that a place lies in: an item of a list (`List`, `ResourceList` …), else what the
/// document holds. Nothing where no document of the inputs holds it.
[[nodiscard]] Node object_at(const Project& project, Span place);

/// What the places that findings name in a piped stream were made of, as the stream says itself:
/// the annotations `config.kubernetes.io/path` (KRM functions, 1.0) and
/// `config.kubernetes.io/origin` (kustomize 5.8) of an object, or the `# Source:` that Helm 4.3
/// writes above each document. Sorted.
[[nodiscard]] std::vector<StreamOrigin> find_origins(const Project& project, const Request& request,
                                                     const std::vector<Diagnostic>& findings);

}  // namespace gpulint
