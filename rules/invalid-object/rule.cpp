#include "compiler/engine/rule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/api_validation/api_review.h"
#include "compiler/api_validation/api_validation.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"
#include "rules/support/api_problems.h"
#include "rules/support/obstacles.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_object {
namespace {

/// Without names of objects, references and unknown fields, because an operator's asset or an
/// example has placeholders there. Without claims, whose fields differ between releases
/// (dra-claim).
constexpr auto checked = std::to_array<ApiIssue>({ApiIssue::bad_quantity,
                                                  ApiIssue::toleration_key,
                                                  ApiIssue::toleration_operator,
                                                  ApiIssue::toleration_value,
                                                  ApiIssue::toleration_seconds,
                                                  ApiIssue::taint_effect,
                                                  ApiIssue::taint_key,
                                                  ApiIssue::taint_value,
                                                  ApiIssue::selector_operator,
                                                  ApiIssue::selector_single_value,
                                                  ApiIssue::selector_key,
                                                  ApiIssue::selector_value,
                                                  ApiIssue::field_selector,
                                                  ApiIssue::preference_weight,
                                                  ApiIssue::resource_name,
                                                  ApiIssue::resource_negative,
                                                  ApiIssue::resource_fraction,
                                                  ApiIssue::resource_hugepages,
                                                  ApiIssue::resource_unlike_limit,
                                                  ApiIssue::resource_above_limit,
                                                  ApiIssue::quota_name,
                                                  ApiIssue::topology_key,
                                                  ApiIssue::topology_spread,
                                                  ApiIssue::container_name,
                                                  ApiIssue::container_image,
                                                  ApiIssue::enumeration,
                                                  ApiIssue::restart_policy,
                                                  ApiIssue::init_container_field,
                                                  ApiIssue::number_range});

/// Labels by which nodes are selected: those of a Node, and the selector of a RuntimeClass.
/// `object` has the problem; null for a part of a pod.
[[nodiscard]] bool is_node_label(const ApiProblem& problem, const KubernetesObject* object) {
  const bool is_label =
      problem.issue == ApiIssue::label_key || problem.issue == ApiIssue::label_value;
  if (!is_label) return false;
  if (problem.path == "scheduling.nodeSelector") return true;
  return problem.path == "metadata.labels" && object != nullptr && object->kind.equals("Node");
}

/// A workload of the group `apps` needs a selector, and labels of its template that match it.
/// Without the labels as well, the document is a patch (kustomize/apply.h).
[[nodiscard]] bool is_about_selector(const ApiProblem& problem) {
  return problem.issue == ApiIssue::workload_selector || problem.issue == ApiIssue::template_labels;
}

[[nodiscard]] bool is_checked(const ApiProblem& problem, const KubernetesObject* object) {
  if (is_node_label(problem, object) || is_about_selector(problem)) return true;
  const bool is_missing = problem.type == ApiErrorType::required;
  return (!is_missing || problem.issue == ApiIssue::restart_policy) &&
         std::ranges::find(checked, problem.issue) != checked.end();
}

/// The server's words after the path: `Unsupported value: "x": supported values: …`.
struct ServerWords {
  std::string_view kind;   ///< `Unsupported`; empty if the words name no value.
  std::string_view value;  ///< Without quotes.
  std::string_view why;    ///< Without the examples and patterns after it; may be empty.
};

[[nodiscard]] ServerWords read_words(std::string_view detail) {
  detail = detail.substr(0, detail.find(" (e.g. "));
  constexpr std::string_view mark = " value: \"";
  const std::size_t colon = detail.find(mark);
  if (colon == std::string_view::npos) return {{}, {}, detail};
  const std::size_t begin = colon + mark.size();
  const std::size_t end = std::min(detail.find("\": ", begin), detail.size() - 1);
  const std::size_t after = std::min(end + 3, detail.size());
  return {detail.substr(0, colon), detail.substr(begin, end - begin), detail.substr(after)};
}

/// At most so many bytes, cut after a word, or before a character.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = text.rfind(' ', most);
  if (end == std::string_view::npos) {
    end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  }
  return fmt::format("{} …", text.substr(0, end));
}

/// The path ends with the key: `spec.hard[requests.nvidia.com/]`.
[[nodiscard]] bool is_about_key(const ApiProblem& problem, const ServerWords& words) {
  return !words.value.empty() && problem.path.ends_with(fmt::format("[{}]", words.value));
}

[[nodiscard]] std::string reason_of(const ApiProblem& problem) {
  if (problem.issue == ApiIssue::template_labels) {
    return fmt::format("the labels in `{}` do not match `spec.selector`", problem.path);
  }
  if (problem.type == ApiErrorType::required && !problem.node.is_scalar()) {
    return fmt::format("`{}` is missing", problem.path);
  }
  if (problem.type == ApiErrorType::forbidden) {
    return fmt::format("`{}` is not allowed", problem.path);
  }
  const ServerWords words = read_words(problem.detail);
  const std::string_view value = words.kind.empty() ? problem.node.text() : words.value;
  if (is_about_key(problem, words)) {
    return fmt::format("`{}` has the invalid key `{}`",
                       problem.path.substr(0, problem.path.size() - words.value.size() - 2),
                       shortened(value, 50));
  }
  return fmt::format("`{}` has the {} value `{}`", problem.path,
                     words.kind == "Duplicate" ? "duplicate" : "invalid", shortened(value, 50));
}

/// What to do, with the server's words.
[[nodiscard]] std::string advice_for(const ApiProblem& problem, bool creates_object) {
  const ServerWords words = read_words(problem.detail);
  const bool is_about_labels = problem.issue == ApiIssue::template_labels;
  const std::string_view action =
      is_about_labels ? "correct the labels or the selector"
      : problem.type == ApiErrorType::required && !problem.node.is_scalar() ? "add the field"
      : problem.type == ApiErrorType::forbidden                             ? "remove the field"
      : is_about_key(problem, words)                                        ? "correct the key"
                                                                            : "correct the value";
  if (words.why.empty() || is_about_labels) {
    return fmt::format("{}. Otherwise the API server does not create the {}", action,
                       creates_object ? "object" : "pods");
  }
  return fmt::format("{}. The API server says: `{}`", action, shortened(words.why, 120));
}

/// What the API server rejects. `object` has the problem; null for a part of a pod. A custom
/// resource is accepted, but not its pods.
[[nodiscard]] std::string rejected(const KubernetesObject* object) {
  if (object == nullptr) return "this pod";
  const std::string kind = object->kind.value_or("object");
  return fmt::format("{}this {}", is_validated(*object) ? "" : "the pods of ", kind);
}

/// Where a finding about the problem is reported.
[[nodiscard]] Span place_of(Node node) { return node.key() ? node.key_span() : node.span(); }

/// The limits and requests with the amount of the problem, also through aliases. Null if the
/// problem is not an amount of a pod.
[[nodiscard]] const ResourceRequirements* resources_of(const ApiFinding& finding) {
  if (finding.workload == nullptr) return nullptr;
  const Node node = finding.problem.node;
  const auto is_it = [&](const ResourceEntry& entry) {
    return entry.name.node == node || entry.amount.node() == node;
  };
  const auto holds_it = [&](const ResourceRequirements& resources) {
    return std::ranges::any_of(resources.limits, is_it) ||
           std::ranges::any_of(resources.requests, is_it);
  };
  const PodSpec& pod = finding.workload->pod;
  const auto found = std::ranges::find_if(pod.containers, holds_it, &Container::resources);
  if (found != pod.containers.end()) return &found->resources;
  return holds_it(pod.pod_resources) ? &pod.pod_resources : nullptr;
}

/// The entry or list item with the problem. For an amount `resources`, because one finding covers
/// limits and requests.
[[nodiscard]] Node surroundings(const ApiFinding& finding) {
  const ResourceRequirements* const resources = resources_of(finding);
  const Node node = finding.problem.node;
  if (resources != nullptr && resources->node) return resources->node;
  return node.is_scalar() && node.parent() ? node.parent() : node;
}

/// Whether a finding is there, or around it.
[[nodiscard]] bool is_told(const ApiFinding& finding, std::span<const Diagnostic> found) {
  const Node node = finding.problem.node;
  // In the output of kustomize, the surroundings may be in another file. A missing field is not at
  // the place of other findings.
  const bool is_missing = finding.problem.type == ApiErrorType::required && !node.is_scalar();
  std::vector<Span> spans{place_of(node)};
  if (!is_missing) spans.insert(spans.end(), {surroundings(finding).span(), node.span()});
  if (const ResourceRequirements* const resources = resources_of(finding)) {
    for (const auto* list : {&resources->limits, &resources->requests}) {
      for (const ResourceEntry& entry : *list) spans.push_back(entry.amount.node().entry_span());
    }
  }
  const auto is_there = [&](Span span) {
    return !is_of_whole_document(span, node) &&
           std::ranges::any_of(spans, [&](Span each) { return span.overlaps(each); });
  };
  return std::ranges::any_of(found, [&](const Diagnostic& other) {
    return is_there(other.span) || std::ranges::any_of(other.related, is_there, &Label::span);
  });
}

/// Reports problems that other rules do not report, each place once.
class Review {
 public:
  Review(std::span<const Diagnostic> found, Reporter& reporter)
      : found_(found), reporter_(reporter) {}

  /// `object`: of the problem; null for a part of a pod.
  void check(const ApiFinding& finding, const KubernetesObject* object) {
    const ApiProblem& problem = finding.problem;
    const bool is_selector_missing =
        problem.issue == ApiIssue::workload_selector && problem.type == ApiErrorType::required;
    if (is_selector_missing) without_selector_ = finding.workload;
    // Its labels match no selector either; one finding is enough.
    const bool is_same = finding.workload != nullptr && finding.workload == without_selector_;
    if (problem.issue == ApiIssue::template_labels && is_same) return;
    if (!is_checked(problem, object) || !problem.node || is_told(finding, found_)) return;
    if (!told_.emplace(problem.node.document(), problem.node.index()).second) return;
    if (problem.issue == ApiIssue::resource_hugepages && !is_first(finding)) return;
    Finding made = reporter_.report_span(place_of(problem.node), problem.node,
                                         "the API server rejects {}, because {}", rejected(object),
                                         reason_of(problem));
    if (is_selector_missing) {
      made.help("add `spec.selector.matchLabels` with labels of the pod template");
    } else if (problem.issue == ApiIssue::restart_policy &&
               problem.type == ApiErrorType::required) {
      // A patch outside of the inputs may add it.
      if (!problem.node.is_scalar()) made.at_most(Severity::warning);
      made.help(
          "set `restartPolicy` to `Never` or `OnFailure`, because a Job does not allow the default "
          "`Always`");
    } else {
      made.help("{}", advice_for(problem, object != nullptr && is_validated(*object)));
    }
  }

 private:
  /// Limits and requests often have the same values.
  [[nodiscard]] bool is_first(const ApiFinding& finding) {
    const Node around = surroundings(finding);
    const ApiProblem& problem = finding.problem;
    return amounts_
        .emplace(around.document(), around.index(), problem.node.key().text(), problem.detail)
        .second;
  }

  std::span<const Diagnostic> found_;
  Reporter& reporter_;
  std::set<std::pair<const Document*, NodeIndex>> told_;
  std::set<std::tuple<const Document*, NodeIndex, std::string_view, std::string_view>> amounts_;
  const Workload* without_selector_ = nullptr;
};

/// What an admission plugin rejects is refused, too.
void check_admission(const Corpus& corpus, Reporter& reporter) {
  const FindObstacles gate = make_runtime_class_gate(corpus);
  for (const auto* workloads : {&corpus.workloads, &corpus.compiled}) {
    for (const Workload& workload : *workloads) {
      const bool is_concerned =
          concerns_gpus(workload.pod) || gpu_relation(workload.pod) != GpuRelation::none;
      if (is_concerned) report(reporter, gate, workload);
    }
  }
}

void check_after(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  Review review(found, reporter);
  for (std::size_t i = 0; i < corpus.api->by_object.size(); ++i) {
    const KubernetesObject* const object = i < corpus.objects.size() ? &corpus.objects[i] : nullptr;
    for (const ApiFinding& finding : corpus.api->by_object[i]) review.check(finding, object);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "resources", .aliases = "refused-object"},
                                 .check = check_admission,
                                 .check_after = check_after};

}  // namespace gpulint::rules::invalid_object
