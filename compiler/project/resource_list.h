#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/result.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/document.h"
#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"
#include "frontend/load.h"

namespace gpulint {

/// The `functionConfig` of a ResourceList; nullopt for keys that are absent.
struct FunctionConfig {
  std::optional<std::string> fail_on;  ///< `error`, `warning`, `info` or `never`.
  std::optional<Provider> provider;
  std::optional<std::vector<std::string>> select;
  std::optional<std::vector<std::string>> ignore;
  std::optional<std::vector<std::string>> nodes;
  std::optional<std::string> config;
};

/// Standard input. It may be a ResourceList of `config.kubernetes.io` (KRM functions specification
/// 1.0).
struct PipedStream {
  DecodedBytes input;
  std::unique_ptr<SourceSet> sources;
  std::vector<std::unique_ptr<Document>> documents;
  Node list;  ///< Null if it is not a ResourceList.
  FunctionConfig function;

  [[nodiscard]] const std::string& bytes() const {
    return input.original.empty() ? input.text : input.original;
  }
};

/// Reads standard input. `functionConfig` may set `failOn`, `select`, `ignore`, `nodes`, `config`
/// and `provider`, under `spec` or, in a ConfigMap, under `data`. Lists may be written as `a,b`. An
/// Error if standard input is not readable, or if a key or value is unknown.
[[nodiscard]] Result<PipedStream> read_piped_stream();

}  // namespace gpulint
