#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/unified_diff.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/errors.h"
#include "compiler/driver/outputs.h"
#include "compiler/driver/report.h"
#include "compiler/pipeline.h"
#include "compiler/project/patch_name.h"
#include "compiler/project/write_file.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string_view want_of(std::string_view need) {
  if (need == "nodes") return "GPU nodes among the inputs";
  if (need == "mig-layouts") return "MIG manager's configuration among the inputs";
  if (need == "runtime-class") return "a runtime class for GPUs (`cluster.runtimeClass`)";
  if (need == "kubernetes-1.34") return "Kubernetes 1.34 (`cluster.kubernetes`)";
  return need;
}

/// Names the inputs that are missing for more rules.
void print_left_out(const std::vector<policy::LeftOut>& left_out) {
  std::map<std::string, std::vector<std::string>> by_need;
  for (const policy::LeftOut& rule : left_out) by_need[rule.lacks].push_back(rule.id);
  for (const auto& [lacks, rules] : by_need) {
    print_error(fmt::format("skipped, needs {}: {}", want_of(lacks), fmt::join(rules, ", ")));
  }
}

[[nodiscard]] int write(const std::string& file, const std::string& text) {
  if (file.empty()) {
    std::cout << text << std::flush;
    return std::cout ? 0 : refuse(Error{"standard output cannot be written"});
  }
  const auto error = write_file(file, text);
  return error ? refuse(Error{fmt::format("{}: {}", file, error->message)}) : 0;
}

/// `--check`: 0 if the file is up to date.
[[nodiscard]] int compare(const Project& project, const std::string& text, const Options& options) {
  const std::string& path = options.checked_policy;
  const Result<DecodedBytes> before = project.files->read(path);
  if (!before.ok()) return refuse(before.error());
  const policy::PolicyDrift drift = compare_policies(path, before.value().text, text);
  const std::string diff = drift.is_as_written
                               ? unified_diff(name_in_patch(path), before.value().text, text)
                               : std::string{};
  if (diff.empty() && drift.hashes.empty()) return 0;
  if (const int status = write({}, diff); status != 0) return status;
  for (const std::string& line : drift.hashes) print_error(line);
  print_error(fmt::format("{}: out of date: made from other nodes, configuration or rules", path));
  return 1;
}

[[nodiscard]] std::vector<FormatRequest> formats_of(const Options& options) {
  if (!options.formats.empty()) return options.formats;
  return {{"vap", options.output}};
}

/// Why these formats cannot be written.
[[nodiscard]] std::optional<Error> refuse_formats(const Options& options) {
  static constexpr std::array<std::string_view, 3> names{"vap", "gatekeeper", "map"};
  const std::vector<FormatRequest> requests = formats_of(options);
  for (const FormatRequest& request : requests) {
    if (std::ranges::find(names, request.name) == names.end()) {
      return unknown_format(request.name, names);
    }
    if (request.name == "gatekeeper" && options.facts_from == policy::FactsFrom::object) {
      return Error{"policies for Gatekeeper contain their facts as literals: remove `--facts crd`"};
    }
  }
  if (!options.checked_policy.empty() && requests.size() > 1) {
    return Error{"--check compares one format only"};
  }
  return std::nullopt;
}

}  // namespace

int run_policy(const Options& options) {
  if (const auto error = refuse_formats(options)) return refuse(*error);
  const auto project = load_project(options);
  print_account(*project, options);
  if (const auto error = refuse_project(*project, options)) return refuse(*error);
  for (const std::string& error : project->errors) print_error(error);
  const std::vector<FormatRequest> outputs = formats_of(options);
  policy::PolicyRequest request{
      .facts_from = options.facts_from, .denies_by_facts = options.deny_facts, .formats = {}};
  for (const FormatRequest& output : outputs) request.formats.push_back(output.name);
  const Result<policy::ClusterPolicies> found = find_policies(*project, options, request);
  if (!found.ok()) return refuse(found.error());
  const policy::ClusterPolicies& policies = found.value();
  if (policies.needs_object) {
    print_error(
        fmt::format("{} kinds of nodes do not fit into an expression: the policies read them from "
                    "a custom resource (`--facts crd`)",
                    policies.facts.pools.size()));
  }
  if (!options.quiet) print_left_out(policies.left_out);
  if (policies.rules.empty()) return refuse(Error{"no selected rule has a policy"});
  int status = project->errors.empty() ? 0 : 2;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& text = policies.texts[i];
    if (text.empty()) return refuse(Error{"no selected rule has a mutating policy"});
    status = std::max(status, options.checked_policy.empty() ? write(outputs[i].file, text)
                                                             : compare(*project, text, options));
  }
  return status;
}

}  // namespace gpulint
