#include "compiler/engine/rule.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/model/mig_config.h"
#include "compiler/model/mig_profile.h"
#include "compiler/model/provider_catalog.h"
#include "rules/support/edits.h"

namespace gpulint::rules {
namespace {

constexpr std::string_view help_text =
    "no NVIDIA GPU has it; `gpulint rule unknown-mig-profile` "
    "says where the profiles come from";

void offer(const Corpus& corpus, Finding& finding, Node at, std::string_view suggestion) {
  if (suggestion.empty()) {
    finding.help("{}", help_text);
    return;
  }
  finding.help("did you mean `{}`?", suggestion)
      .fix(Safety::unsafe, fmt::format("write `{}`", suggestion),
           replace_string(*corpus.sources, at, suggestion));
}

void check_resources(const Corpus& corpus, Reporter& reporter,
                     const std::vector<ResourceEntry>& entries) {
  for (const ResourceEntry& entry : entries) {
    if (entry.name.node.is_opaque()) continue;
    const GpuResource resource = classify_resource(entry.name.value);
    if (resource.kind != GpuResource::Kind::unknown_mig) continue;
    Finding finding = reporter.report(entry.name.node, "`{}` names a MIG profile that no GPU has",
                                      entry.name.value);
    offer(corpus, finding, entry.name.node, resource.suggestion);
  }
}

/// Labels by which nodes are told apart by partition size, e.g. GKE's.
[[nodiscard]] bool is_partition_label(std::string_view key) {
  return std::ranges::any_of(labels_with_key(key),
                             [](const ProviderLabel* label) { return label->role == "partition"; });
}

void check_label_value(const Corpus& corpus, Reporter& reporter, std::string_view key,
                       const Field<std::string>& value) {
  if (!value.is_known() || value.value().empty() || !is_partition_label(key)) return;
  const auto profile = profile_of_resource_suffix(value.value());
  if (profile && !gpus_with_profile(*profile).empty()) return;
  Finding finding = reporter.report(value.node(), "`{}: {}` asks for a MIG profile that no GPU has",
                                    key, value.value());
  const auto suggestion = suggest_mig_profile(value.value());
  offer(corpus, finding, value.node(), suggestion ? label_form(*suggestion) : std::string{});
}

void check_selectors(const Corpus& corpus, Reporter& reporter, const PodSpec& pod) {
  for (const LabelEntry& entry : pod.node_selector) {
    check_label_value(corpus, reporter, entry.key.value, entry.value);
  }
  for (const SelectorTerm& term : pod.node_affinity.required) {
    for (const SelectorRequirement& requirement : term.expressions) {
      if (!requirement.key.is_known() || !requirement.op.equals("In")) continue;
      for (const Field<std::string>& value : requirement.values) {
        check_label_value(corpus, reporter, requirement.key.value(), value);
      }
    }
  }
}

void check_mig_config(const Corpus& corpus, Reporter& reporter, Node config) {
  using Kind = MigConfigProblem::Kind;
  for (const MigConfigProblem& problem : read_mig_config(config).problems) {
    if (problem.kind != Kind::invalid_profile && problem.kind != Kind::unknown_profile) continue;
    const Node at = problem.node.key() ? problem.node.key() : problem.node;
    Finding finding = reporter.report(at, "`{}` is no MIG profile of {}", at.text(),
                                      problem.kind == Kind::invalid_profile
                                          ? "any GPU: mig-parted refuses the whole file"
                                          : "the GPUs here: no device is made, without an error");
    offer(corpus, finding, at, problem.kind == Kind::invalid_profile ? problem.detail : "");
  }
}

/// Run:ai keeps a configuration of its own form, by slice index, in an annotation of that name.
[[nodiscard]] bool is_annotation(const Document& document) {
  return document.host != nullptr &&
         Node(*document.host, document.host_node).parent().key().text() == "annotations";
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    for (const Container& container : workload.pod.containers) {
      check_resources(corpus, reporter, container.resources.limits);
      if (container.resources.limits.empty()) {
        check_resources(corpus, reporter, container.resources.requests);
      }
    }
    check_selectors(corpus, reporter, workload.pod);
  }
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty() || is_annotation(*document)) continue;
    if (!looks_like_mig_config(root(*document))) continue;
    check_mig_config(corpus, reporter, root(*document));
  }
}

}  // namespace

extern constinit const Rule unknown_mig_profile;
constinit const Rule unknown_mig_profile{.info = {.id = "unknown-mig-profile",
                                                  .category = "partition",
                                                  .summary = "A MIG profile that no GPU has.",
                                                  .severity = Severity::error,
                                                  .fix = FixAvailability::unsafe},
                                         .check = check};

}  // namespace gpulint::rules
