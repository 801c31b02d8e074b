#include "rules/exceeds-quota/flyte_quotas.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"
#include "rules/exceeds-quota/namespace_limits.h"
#include "rules/support/causes.h"

namespace gpulint::rules::exceeds_quota {
namespace {

/// What the namespaces of one domain get of a resource at most.
struct Most {
  std::string resource;
  std::int64_t amount = 0;
  Node place;
};

/// The domains that flyteadmin has by default (flyteadmin/flyteadmin_config.yaml).
[[nodiscard]] bool is_of_domain(std::string_view name_space) {
  constexpr auto domains =
      std::to_array<std::string_view>({"-development", "-staging", "-production"});
  return std::ranges::any_of(domains,
                             [&](std::string_view end) { return name_space.ends_with(end); });
}

/// The name in `{{ name }}`; empty where more or something else stands there.
[[nodiscard]] std::string_view variable_of(std::string_view text) {
  if (!text.starts_with("{{") || !text.ends_with("}}")) return {};
  text = text.substr(2, text.size() - 4);
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, end + 1 - begin);
  return text.find_first_of(" {}|.") == std::string_view::npos ? text : std::string_view{};
}

/// `customData`, each domain with its values; nothing where several lists may replace each other.
[[nodiscard]] Node find_custom_data(const Corpus& corpus) {
  Node found;
  bool is_one = true;
  for (const Document* document : corpus.documents) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    walk(root(*document), [&](Node node) {
      if (node.key().text() != "customData" || !node.is_sequence()) return;
      is_one = is_one && !found;
      found = node;
    });
  }
  return is_one ? found : Node{};
}

/// What `customData` gives each domain; nothing where one has no such value, or an open one.
[[nodiscard]] std::vector<Most> amounts_of(Node custom_data, std::string_view variable,
                                           std::string_view resource) {
  std::vector<Most> amounts;
  for (const Node domain : custom_data.items()) {
    for (const Node::Entry& entry : domain.fields()) {
      Node value;
      for (const Node item : entry.value.items()) {
        if (const Node written = item.at(variable, "value")) value = written;
      }
      const Field<Quantity> amount = read_quantity(value);
      if (!amount.is_known()) return {};
      amounts.push_back({std::string(resource), count_of(resource, amount.value()), value});
    }
  }
  return amounts;
}

void add_item(const Node::Entry& item, Node custom_data, std::vector<Most>& amounts) {
  constexpr std::string_view prefix = "requests.";
  std::string_view resource = item.key.text();
  if (!resource.starts_with(prefix)) return;
  resource.remove_prefix(prefix.size());
  if (!is_gpu_resource(resource)) return;
  const Field<Quantity> hard = read_quantity(item.value);
  if (hard.is_known()) {
    amounts.push_back({std::string(resource), count_of(resource, hard.value()), item.value});
    return;
  }
  const std::string_view variable = variable_of(item.value.text());
  if (variable.empty()) return;
  std::ranges::move(amounts_of(custom_data, variable, resource), std::back_inserter(amounts));
}

/// What the quotas of Flyte's namespaces give, one for each that is known.
[[nodiscard]] std::vector<Most> read_flyte_quotas(const Corpus& corpus) {
  std::vector<Most> amounts;
  const Node custom_data = find_custom_data(corpus);
  const NamespaceLimits limits = read_limits(corpus);
  for (const Node quota : limits.quotas.all()) {
    const Node name_space = quota.at("metadata", "namespace");
    const bool is_template = !variable_of(name_space.text()).empty();
    if (!is_template && !is_of_domain(name_space.text())) continue;
    for (const Node::Entry& item : quota.at("spec", "hard").fields()) {
      add_item(item, custom_data, amounts);
    }
  }
  return amounts;
}

void check_task(const Workload& task, const std::vector<Most>& amounts, Reporter& reporter) {
  for (const PodRequest& request : compute_requests(task.pod).resources) {
    const Most* most = nullptr;
    for (const Most& each : amounts) {
      if (each.resource != request.name) continue;
      if (most == nullptr || each.amount > most->amount) most = &each;
    }
    if (most == nullptr || request.is_open || !request.node || request.amount <= most->amount) {
      continue;
    }
    reporter
        .report(request.node,
                "{} requests {} of `{}`; no quota of Flyte's namespaces gives more than {}",
                describe(task), amount_text(request.name, request.amount), request.name,
                amount_text(request.name, most->amount))
        .severity(Severity::warning)
        .related(most->place, "the most that a namespace gets")
        .help(
            "the API server refuses the task's pod, unless the project's own attributes say "
            "otherwise");
  }
}

}  // namespace

void check_flyte_quotas(const Corpus& corpus, Reporter& reporter) {
  if (corpus.compiled.empty()) return;
  const std::vector<Most> amounts = read_flyte_quotas(corpus);
  if (amounts.empty()) return;
  for (const Workload& task : corpus.compiled) {
    if (!task.is_assumed) check_task(task, amounts, reporter);
  }
}

}  // namespace gpulint::rules::exceeds_quota
