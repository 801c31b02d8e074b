#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "frontend/load.h"

namespace gpulint {

/// What a ResourceList's `functionConfig` says; what it leaves out is nothing.
struct FunctionConfig {
  std::optional<std::string> fail_on;  ///< `error`, `warning`, `info` or `never`.
  std::optional<Provider> provider;
  std::optional<std::vector<std::string>> select;
  std::optional<std::vector<std::string>> ignore;
  std::optional<std::vector<std::string>> nodes;
  std::optional<std::string> config;
};

/// A piped stream, and the ResourceList in it where that is what it is: `kind: ResourceList` of
/// `config.kubernetes.io` (KRM functions specification 1.0).
struct PipedStream {
  DecodedBytes input;
  std::unique_ptr<SourceSet> sources;
  std::vector<std::unique_ptr<Document>> documents;
  Node list;  ///< Nothing where it is no ResourceList.
  FunctionConfig function;

  [[nodiscard]] const std::string& bytes() const {
    return input.original.empty() ? input.text : input.original;
  }
};

/// Reads standard input. Of the list's `functionConfig` it takes `failOn`, `select`, `ignore`,
/// `nodes`, `config` and `provider`, under `spec` or, of a ConfigMap, under `data`; lists may be
/// written as `a,b`. An Error where standard input cannot be read, or a key or a word means
/// nothing.
[[nodiscard]] Result<PipedStream> read_piped_stream();

}  // namespace gpulint
