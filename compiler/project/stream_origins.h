#pragma once

#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/ir/node.h"

namespace gpulint {

struct Project;
struct Request;

/// A part of standard input, and the file from which it was rendered.
struct StreamOrigin {
  Span span;
  std::string file;
};

/// The object around a place: an item of a list (`List`, `ResourceList` …), or else the root of the
/// document. Null if the place is not in a document of the inputs.
[[nodiscard]] Node object_at(const Project& project, Span place);

/// The original files of the places that findings name in standard input. They come from the
/// stream: the annotations `config.kubernetes.io/path` (KRM functions, 1.0) and
/// `config.kubernetes.io/origin` (kustomize 5.8) of an object, or the `# Source:` that Helm 4.3
/// writes above each document. Sorted.
[[nodiscard]] std::vector<StreamOrigin> find_origins(const Project& project, const Request& request,
                                                     const std::vector<Diagnostic>& findings);

}  // namespace gpulint
