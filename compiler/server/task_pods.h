#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/server/ranges.h"

namespace gpulint::server {

/// Whether the URI names the pods that Flyte creates for a task: a document without a file.
[[nodiscard]] bool is_pod_uri(std::string_view uri);
/// The URI for a task of a folder of the workspace. `folder`: its path.
[[nodiscard]] std::string pod_uri(const std::string& folder, const std::string& task);

/// The pods as YAML, with the origin of each item as a comment. A comment if there are none.
[[nodiscard]] std::string pod_text(Workspace& workspace, const std::string& uri);
/// The location of the configuration or task that a line of that text comes from.
[[nodiscard]] Json pod_definitions(Workspace& workspace, const OpenTexts& texts, Units units,
                                   const std::string& uri, Place place);

/// Where Flyte writes the value at an offset, as Markdown; empty if it writes it nowhere.
[[nodiscard]] std::string describe_use(CheckedRoot& root, FileId file, std::uint32_t offset);
/// Inlay hints of tasks: the resource that a number of GPUs becomes, and the label of an
/// accelerator.
[[nodiscard]] Json hints_of(CheckedRoot& root, FileId file, Ranges& ranges);

}  // namespace gpulint::server
