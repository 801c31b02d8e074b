#include "compiler/engine/rule.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/flyte/python_entry.h"
#include "compiler/flyte/task.h"
#include "compiler/model/quantity.h"

namespace gpulint::rules::lost_task_override {
namespace {

[[nodiscard]] const flyte::TaskResource* find_gpu(const std::vector<flyte::TaskResource>& list) {
  for (const flyte::TaskResource& each : list) {
    if (each.name.value == "gpu" && each.amount.is_known()) return &each;
  }
  return nullptr;
}

/// One of the two lists of amounts: what the override has, what the task has, and of the other
/// list.
struct Half {
  std::string_view name;
  std::string_view other;
  const std::optional<std::vector<flyte::TaskResource>>& of_override;
  const std::optional<std::vector<flyte::TaskResource>>& other_of_override;
  const std::vector<flyte::TaskResource>& own;
  const std::vector<flyte::TaskResource>& other_own;
};

/// The other half next to it in the source: `, limits=Resources(gpu="2")`; nullopt if the call is
/// written elsewhere.
[[nodiscard]] std::optional<Edit> add_other(const Corpus& corpus, Node overrides, const Half& half,
                                            std::string_view amount) {
  const Node written = overrides.get(half.name);
  const Span keyword = written.key_span();
  const Span value = written.span();
  const std::string_view text = corpus.sources->file(value).text();
  const bool is_here = value.file == keyword.file && keyword.end + 1 == value.begin &&
                       text.substr(keyword.begin, keyword.end - keyword.begin) == half.name &&
                       text[keyword.end] == '=';
  if (!is_here) return std::nullopt;
  const std::string_view call = corpus.sources->text(value);
  const std::string_view callee = call.substr(0, call.find('('));
  return Edit{{value.file, value.end, value.end},
              fmt::format(", {}={}(gpu=\"{}\")", half.other, callee, amount)};
}

void check_half(const Corpus& corpus, Reporter& reporter, Node overrides, const Half& half) {
  if (!half.of_override) return;
  if (half.other_of_override && find_gpu(*half.other_of_override) != nullptr) return;
  const flyte::TaskResource* wanted = find_gpu(*half.of_override);
  const flyte::TaskResource* kept = find_gpu(half.other_own);
  const bool is_written = kept != nullptr;
  if (!is_written) kept = find_gpu(half.own);
  if (wanted == nullptr || kept == nullptr) return;
  const auto more = Quantity::parse(wanted->amount.value());
  const auto most = Quantity::parse(kept->amount.value());
  if (!more || !most || most->is_zero() || *more <= *most) return;
  const bool is_request = half.name == "requests";
  const std::string_view other = is_request ? "limit" : "request";
  Finding finding = reporter.report(
      wanted->amount.node(), "the override sets the GPU {} to {}, but the GPU {} stays {}",
      is_request ? "request" : "limit", wanted->amount.value(), other, kept->amount.value());
  finding.related(
      kept->amount.node(),
      is_written ? fmt::format("the override does not change the task's GPU {}", other)
                 : fmt::format("the task has no GPU {0}, so flyteadmin uses this {1} as the {0}",
                               other, is_request ? "request" : "limit"));
  if (is_request) {
    finding.help(
        "also set the GPU limit to {} in the override. Otherwise Flyte lowers the GPU request to "
        "{}",
        wanted->amount.value(), kept->amount.value());
  } else {
    finding.help(
        "also set the GPU request to {} in the override. Otherwise the API server rejects the pod, "
        "because the GPU request and the GPU limit differ",
        wanted->amount.value());
  }
  if (half.other_of_override) return;
  const auto edit = add_other(corpus, overrides, half, wanted->amount.value());
  if (edit) {
    finding.fix(Safety::unsafe,
                fmt::format("add `{}` with `gpu=\"{}\"`", half.other, wanted->amount.value()),
                {*edit});
  }
}

void check_task(const Corpus& corpus, Reporter& reporter, Node entry) {
  const flyte::Task task = flyte::read_task(entry, FlyteVersion::v1);
  if (!task.problem.empty()) return;
  const Node overrides = entry.get("overrides");
  // flyteadmin completes one half of a container's amounts by the other, but not those of a pod.
  const std::vector<flyte::TaskResource> none;
  const bool is_completed = task.target == flyte::TaskTarget::container;
  check_half(corpus, reporter, overrides,
             {"requests", "limits", task.override_requests, task.override_limits,
              is_completed ? task.requests : none, task.limits});
  check_half(corpus, reporter, overrides,
             {"limits", "requests", task.override_limits, task.override_requests,
              is_completed ? task.limits : none, task.requests});
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Node entry : corpus.settings->tasks) {
    if (flyte::version_of_entry(entry) == FlyteVersion::v1) check_task(corpus, reporter, entry);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::lost_task_override
