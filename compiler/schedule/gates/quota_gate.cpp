#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/namespace_limits.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/terms.h"

namespace gpulint {
namespace {

/// The ResourceQuotas and LimitRanges of a scope.
struct NamespaceLimits {
  LimitObjects quotas;  ///< Those that count all pods: without scopes.
  const LimitObjects& ranges;
};

/// The quota of a resource in the namespaces of one Flyte domain.
struct Most {
  std::string resource;
  std::int64_t amount = 0;
  Node place;
};

/// An item of a quota that every container must set.
struct RequiredItem {
  std::string_view item;
  std::string_view resource;
  bool is_limit = false;
};

constexpr auto required_items = std::to_array<RequiredItem>({{"cpu", "cpu"},
                                                             {"memory", "memory"},
                                                             {"requests.cpu", "cpu"},
                                                             {"requests.memory", "memory"},
                                                             {"limits.cpu", "cpu", true},
                                                             {"limits.memory", "memory", true}});

[[nodiscard]] bool sets(const Container& container, const RequiredItem& item) {
  const ResourceRequirements& resources = container.resources;
  return find_entry(resources.limits, item.resource) != nullptr ||
         (!item.is_limit && find_entry(resources.requests, item.resource) != nullptr);
}

/// Whether a LimitRange that may be in the object's namespace has a default of `cpu` or `memory`
/// for containers.
[[nodiscard]] bool may_be_defaulted(const NamespaceLimits& limits, Node object,
                                    std::string_view resource, bool is_limit) {
  return std::ranges::any_of(limits.ranges.maybe_of(object), [&](Node range) {
    const Node items = range.at("spec", "limits");
    if (!items.is_sequence() || any_below(items, [](Node at) { return at.is_opaque(); }))
      return true;
    const ContainerDefaults defaults = container_defaults(range);
    return find_entry(is_limit ? defaults.limits : defaults.requests, resource) != nullptr;
  });
}

void check_required(Obstacles& obstacles, const Workload& workload, const NamespaceLimits& limits,
                    Node quota) {
  if (!has_plain_pods(workload) || workload.pod.pod_resources.node) return;
  const Node hard = quota.at("spec", "hard");
  for (const Container& container : workload.pod.containers) {
    if (container.kind == ContainerKind::ephemeral || has_open_resources(container)) continue;
    std::vector<std::string> missing;
    Node demand;
    for (const RequiredItem& item : required_items) {
      const Node amount = hard.get(item.item);
      const bool is_missing =
          amount && !sets(container, item) &&
          !may_be_defaulted(limits, workload.object, item.resource, item.is_limit);
      if (!is_missing) continue;
      missing.push_back(fmt::format("`{}`", item.item));
      if (!demand) demand = amount.key();
    }
    if (missing.empty()) continue;
    const Node resources = container.resources.node;
    const Node name = container.name.is_known() ? container.name.node() : container.node;
    obstacles
        .add_at_key(resources ? resources : name,
                    "quota `{}` requires {}, but {} of {} does not set {}", object_name(quota),
                    fmt::join(missing, " and "), describe(container), describe(workload),
                    missing.size() == 1 ? "this amount" : "these amounts")
        .related(demand,
                 fmt::format("every container in the namespace must set `{}`", demand.text()))
        .help(
            "set {} in `resources` of the container, or add defaults in a LimitRange. Otherwise "
            "the API server rejects the pod",
            fmt::join(missing, " and "))
        .assume();  // the inputs may lack such a LimitRange
    return;
  }
}

[[nodiscard]] NamespaceLimits read_limits(const ScopeModel& model) {
  NamespaceLimits limits{{}, model.limit_ranges};
  for (const KubernetesObject& object : model.objects) {
    if (!object.kind.equals("ResourceQuota") || !object.api_version.equals("v1")) continue;
    const Node spec = object.node.get("spec");
    if (!spec.get("scopes") && !spec.get("scopeSelector")) limits.quotas.add(object.node);
  }
  return limits;
}

/// One pod requests more than the whole quota, so even an empty namespace rejects it.
void check_quota(Obstacles& obstacles, const Workload& workload, Node quota) {
  const PodRequests requests = compute_requests(workload.pod);
  for (const Node::Entry& item : quota.at("spec", "hard").fields()) {
    std::string_view resource = item.key.text();
    if (resource.starts_with("requests.")) {
      resource.remove_prefix(9);
    } else if (resource != "cpu" && resource != "memory") {
      continue;
    }
    const PodRequest* const request = requests.find(resource);
    const Field<Quantity> hard = read_quantity(item.value);
    if (request == nullptr || !request->node || !hard.is_known()) continue;
    const std::int64_t most = count_of(resource, hard.value());
    if (request->amount <= most) continue;
    obstacles
        .add(request->node, "{} requests {} `{}`, but quota `{}` allows {} in the whole namespace",
             describe(workload), amount_text(resource, request->amount), resource,
             object_name(quota), amount_text(resource, most))
        .related(item.value, "the quota of the namespace")
        .help(
            "request less, or raise `{}` in the quota to at least {}. Otherwise the API server "
            "rejects the pod",
            item.key.text(), amount_text(resource, request->amount));
  }
}

/// `most`: the entry in `max` of the LimitRange.
void report_beyond(Obstacles& obstacles, const Workload& workload, Node place,
                   const Node::Entry& most, std::string_view what, std::string_view scope) {
  obstacles
      .add(place, "{} {} `{}` than the LimitRange allows for one {}", describe(workload), what,
           most.key.text(), scope)
      .related(most.value, fmt::format("the maximum for one {}", scope))
      .help(
          "set at most {} `{}`, or raise `max` in the LimitRange. Otherwise the API server rejects "
          "the pod",
          most.value.text(), most.key.text());
}

/// The entry of the resource if its amount is known and above the limit; else null.
[[nodiscard]] const ResourceEntry* find_beyond(const std::vector<ResourceEntry>& entries,
                                               std::string_view resource, const Quantity& most) {
  const ResourceEntry* const found = find_entry(entries, resource);
  return found != nullptr && found->amount.is_known() && found->amount.value() > most ? found
                                                                                      : nullptr;
}

void check_range_of_containers(Obstacles& obstacles, const Workload& workload,
                               const Node::Entry& most) {
  const Field<Quantity> limit = read_quantity(most.value);
  if (!limit.is_known()) return;
  const std::string_view resource = most.key.text();
  for (const Container& container : workload.pod.containers) {
    if (container.kind == ContainerKind::ephemeral) continue;
    const ResourceRequirements& own = container.resources;
    const ResourceEntry* beyond = find_beyond(own.limits, resource, limit.value());
    const std::vector<ResourceEntry> requests = defaulted_requests(own);
    const ResourceEntry* const request = find_beyond(requests, resource, limit.value());
    if (beyond == nullptr) beyond = request;
    if (beyond == nullptr) continue;
    report_beyond(obstacles, workload, beyond->name.node, most,
                  request != nullptr ? "requests more" : "sets a higher limit of", "container");
  }
}

void check_range(Obstacles& obstacles, const Workload& workload, Node range) {
  const PodRequests requests = compute_requests(workload.pod);
  for (const Node item : range.at("spec", "limits").items()) {
    const std::string_view type = item.get("type").text();
    for (const Node::Entry& most : item.get("max").fields()) {
      if (type == "Container") check_range_of_containers(obstacles, workload, most);
      const PodRequest* const request = requests.find(most.key.text());
      const Field<Quantity> limit = read_quantity(most.value);
      const bool is_beyond = type == "Pod" && request != nullptr && request->node &&
                             limit.is_known() &&
                             request->amount > count_of(most.key.text(), limit.value());
      if (is_beyond)
        report_beyond(obstacles, workload, request->node, most, "requests more", "pod");
    }
  }
}

/// Containers that request more than the limit that the LimitRange gives them.
void check_default_limits(Obstacles& obstacles, const Workload& workload, Node range) {
  const ContainerDefaults defaults = container_defaults(range);
  const auto is_default = [&](const ResourceEntry& limit) {
    return std::ranges::any_of(defaults.limits, [&](const ResourceEntry& own) {
      return own.amount.node() == limit.amount.node();
    });
  };
  for (const Container& container : workload.pod.containers) {
    for (const ResourceEntry& limit : container.resources.limits) {
      if (!limit.amount.is_known() || !is_default(limit)) continue;
      const std::string& resource = limit.name.value;
      const ResourceEntry* const request =
          find_beyond(container.resources.requests, resource, limit.amount.value());
      if (request == nullptr) continue;
      obstacles
          .add(request->amount.node(),
               "{} requests {} `{}`, but the LimitRange sets a default limit of {}",
               describe(workload), request->amount.node().text(), resource,
               limit.amount.node().text())
          .related(limit.amount.node(), "the default limit of the LimitRange")
          .help(
              "set a `{}` limit of at least {} in the container. Otherwise the API server rejects "
              "the pod",
              resource, request->amount.node().text());
    }
  }
}

/// The domains that flyteadmin has by default (flyteadmin/flyteadmin_config.yaml).
[[nodiscard]] bool is_of_domain(std::string_view name_space) {
  constexpr auto domains =
      std::to_array<std::string_view>({"-development", "-staging", "-production"});
  return std::ranges::any_of(domains,
                             [&](std::string_view end) { return name_space.ends_with(end); });
}

/// The name in `{{ name }}`; empty for any other text.
[[nodiscard]] std::string_view variable_of(std::string_view text) {
  if (!text.starts_with("{{") || !text.ends_with("}}")) return {};
  text = text.substr(2, text.size() - 4);
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, end + 1 - begin);
  return text.find_first_of(" {}|.") == std::string_view::npos ? text : std::string_view{};
}

/// `customData`, each domain with its values; null if there are several, which may replace each
/// other.
[[nodiscard]] Node find_custom_data(const ScopeModel& model) {
  Node found;
  bool is_one = true;
  for (const Document* document : model.documents) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    walk(root(*document), [&](Node node) {
      if (node.key().text() != "customData" || !node.is_sequence()) return;
      is_one = is_one && !found;
      found = node;
    });
  }
  return is_one ? found : Node{};
}

/// The amounts in `customData` for each domain; empty if one is missing or unknown.
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

/// The known quotas of Flyte's namespaces.
[[nodiscard]] std::vector<Most> read_flyte_quotas(const ScopeModel& model,
                                                  const NamespaceLimits& limits) {
  std::vector<Most> amounts;
  if (limits.quotas.empty()) return amounts;
  const Node custom_data = find_custom_data(model);
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

void check_task(const Workload& task, const std::vector<Most>& amounts, Obstacles& obstacles) {
  for (const PodRequest& request : compute_requests(task.pod).resources) {
    const Most* most = nullptr;
    for (const Most& each : amounts) {
      if (each.resource != request.name) continue;
      if (most == nullptr || each.amount > most->amount) most = &each;
    }
    if (most == nullptr || request.is_open || !request.node || request.amount <= most->amount) {
      continue;
    }
    obstacles
        .add(request.node, "{} requests {} `{}`, but the largest quota of Flyte's namespaces is {}",
             describe(task), amount_text(request.name, request.amount), request.name,
             amount_text(request.name, most->amount))
        .assume()
        .related(most->place, "the largest quota")
        .help(
            "request less, or raise the quota to at least {}. Ignore this finding if the "
            "project's attributes in flyteadmin allow more",
            amount_text(request.name, request.amount));
  }
}

}  // namespace

FindObstacles make_quota_gate(const ScopeModel& model) {
  NamespaceLimits limits = read_limits(model);
  std::vector<Most> of_flyte = read_flyte_quotas(model, limits);
  return [limits = std::move(limits), of_flyte = std::move(of_flyte)](const Workload& workload) {
    Obstacles found(Gate::quota);
    if (workload.origin == Workload::Origin::compiled && !workload.is_assumed) {
      check_task(workload, of_flyte, found);
    }
    if (workload.origin != Workload::Origin::manifest) return std::move(found).take();
    for (const Node quota : limits.quotas.of(workload.object)) {
      check_quota(found, workload, quota);
      check_required(found, workload, limits, quota);
    }
    for (const Node range : limits.ranges.of(workload.object)) {
      check_range(found, workload, range);
      check_default_limits(found, workload, range);
    }
    return std::move(found).take();
  };
}

}  // namespace gpulint
