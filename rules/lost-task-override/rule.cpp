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

/// The limit next to the request in the source: `, limits=Resources(gpu="2")`; nullopt if the call
/// is written elsewhere.
[[nodiscard]] std::optional<Edit> add_limit(const Corpus& corpus, Node requests,
                                            std::string_view amount) {
  const Span keyword = requests.key_span();
  const Span value = requests.span();
  const std::string_view text = corpus.sources->file(value).text();
  const bool is_here = value.file == keyword.file && keyword.end + 1 == value.begin &&
                       text.substr(keyword.begin, keyword.end - keyword.begin) == "requests" &&
                       text[keyword.end] == '=';
  if (!is_here) return std::nullopt;
  const std::string_view call = corpus.sources->text(value);
  const std::string_view callee = call.substr(0, call.find('('));
  return Edit{{value.file, value.end, value.end},
              fmt::format(", limits={}(gpu=\"{}\")", callee, amount)};
}

void check_task(const Corpus& corpus, Reporter& reporter, Node entry) {
  const flyte::Task task = flyte::read_task(entry, FlyteVersion::v1);
  const bool is_plain = task.problem.empty() && task.target == flyte::TaskTarget::container;
  if (!is_plain || !task.override_requests) return;
  if (task.override_limits && find_gpu(*task.override_limits) != nullptr) return;
  const flyte::TaskResource* wanted = find_gpu(*task.override_requests);
  const flyte::TaskResource* limit = find_gpu(task.limits);
  if (limit == nullptr) limit = find_gpu(task.requests);
  if (wanted == nullptr || limit == nullptr) return;
  const auto more = Quantity::parse(wanted->amount.value());
  const auto most = Quantity::parse(limit->amount.value());
  if (!more || !most || most->is_zero() || *more <= *most) return;
  Finding finding = reporter.report(
      wanted->amount.node(), "the override requests {} GPUs, and the task keeps its limit of {}",
      wanted->amount.value(), limit->amount.value());
  finding
      .related(limit->amount.node(), limit == find_gpu(task.limits)
                                         ? "the limit of the task"
                                         : "flyteadmin uses the request of the task as its limit")
      .help("override `limits` as well; without it, the limit stays {}", limit->amount.value());
  if (task.override_limits) return;
  const auto edit =
      add_limit(corpus, entry.get("overrides").get("requests"), wanted->amount.value());
  if (edit) finding.fix(Safety::unsafe, "override `limits` as well", {*edit});
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Node entry : corpus.settings->tasks) {
    if (flyte::version_of_entry(entry) == FlyteVersion::v1) check_task(corpus, reporter, entry);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "python", .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::lost_task_override
