#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/flyte/analysis.h"
#include "compiler/flyte/flyteadmin.h"
#include "compiler/flyte/python_entry.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/quantity.h"

namespace gpulint::rules::invalid_task_amount {
namespace {

using Amounts = std::vector<flyte::TaskResource>;

/// Whether another rule reports the amount, because a release would reject the task.
[[nodiscard]] bool is_reported_elsewhere(const Corpus& corpus, Node amount) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const auto refused = flyte::refused_tasks(installation);
    const auto is_it = [&](const flyte::RefusedTask& each) { return each.node == amount; };
    if (std::ranges::any_of(refused, is_it)) return true;
    const flyte::LoadedRelease& loaded = installation.loaded;
    if (loaded.version != FlyteVersion::v1 || !loaded.platform.present) continue;
    for (const flyte::Task& task : installation.tasks) {
      const auto asked = flyte::parse_resources(task.requests, task.limits, task.target, "task");
      const auto verdict = flyte::validate_at_registration(task, asked.resources, loaded.platform);
      if (verdict.resource == "gpu" && verdict.node == amount) return true;
    }
  }
  return false;
}

constexpr std::string_view fraction = "is not a whole number";

[[nodiscard]] std::string_view flaw_of(const std::string& amount) {
  const auto quantity = Quantity::parse(amount);
  if (!quantity) return "is not a Kubernetes quantity";
  if (quantity->is_negative()) return "is negative";
  return quantity->is_whole() ? std::string_view() : fraction;
}

class Checker {
 public:
  Checker(const Corpus& corpus, Reporter& reporter) : corpus_(corpus), reporter_(reporter) {}

  void check(const flyte::Task& task) {
    check_pair(task, task.requests, task.limits);
    check_pair(task, task.override_requests.value_or(Amounts()),
               task.override_limits.value_or(Amounts()));
  }

 private:
  void check_pair(const flyte::Task& task, const Amounts& requests, const Amounts& limits) {
    for (const flyte::TaskResource& request : requests) {
      if (is_known(request)) check_amount(task, request);
    }
    for (const flyte::TaskResource& limit : limits) {
      const auto is_same = [&](const flyte::TaskResource& request) {
        return request.name.value == limit.name.value && is_known(request) &&
               request.amount.value() == limit.amount.value();
      };
      // one finding for both
      if (is_known(limit) && std::ranges::none_of(requests, is_same)) check_amount(task, limit);
    }
    for (const flyte::TaskResource& request : requests) {
      for (const flyte::TaskResource& limit : limits) {
        if (request.name.value == limit.name.value && is_known(request) && is_known(limit)) {
          check_equal(task, request, limit);
        }
      }
    }
  }

  [[nodiscard]] static bool is_known(const flyte::TaskResource& each) {
    const std::string& name = each.name.value;
    return (name == "gpu" || is_gpu_resource(name)) && each.amount.is_known() && each.amount.node();
  }

  void check_amount(const flyte::Task& task, const flyte::TaskResource& each) {
    const std::string_view flaw = flaw_of(each.amount.value());
    if (flaw.empty() || is_reported_elsewhere(corpus_, each.amount.node())) return;
    reporter_
        .report(each.amount.node(), "the GPU amount `{}` of task `{}` {}", each.amount.value(),
                task.name, flaw)
        .help(
            "request {}. Otherwise flyteadmin rejects the task, or the API server rejects the pod",
            flaw == fraction ? "a whole number of GPUs, or request a GPU partition"
                             : "a positive whole number of GPUs");
  }

  void check_equal(const flyte::Task& task, const flyte::TaskResource& request,
                   const flyte::TaskResource& limit) {
    const auto asked = Quantity::parse(request.amount.value());
    const auto most = Quantity::parse(limit.amount.value());
    if (!asked || !most || *asked == *most || asked->is_zero() || most->is_zero()) return;
    if (!flaw_of(request.amount.value()).empty() || !flaw_of(limit.amount.value()).empty()) return;
    if (is_reported_elsewhere(corpus_, request.amount.node())) return;
    reporter_
        .report(request.amount.node(), "task `{}` has the GPU request {}, but the GPU limit {}",
                task.name, request.amount.value(), limit.amount.value())
        .related(limit.amount.node(), "this GPU limit differs from the request")
        .help(
            "write the same amount in `requests` and `limits`. Otherwise the API server rejects "
            "the pod");
  }

  const Corpus& corpus_;
  Reporter& reporter_;
};

void check(const Corpus& corpus, Reporter& reporter) {
  Checker checker(corpus, reporter);
  for (const Node entry : corpus.settings->tasks) {
    const flyte::Task task = flyte::read_task(entry, flyte::version_of_entry(entry));
    if (task.problem.empty()) checker.check(task);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "python"}, .check = check};

}  // namespace gpulint::rules::invalid_task_amount
