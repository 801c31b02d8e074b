#include "compiler/flyte/resources.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

/// Lowers `value` to `limit`; zero means no limit.
[[nodiscard]] Amount ensure_limit(const Amount& value, const Amount& limit) {
  if (value.opaque || limit.opaque) return value;
  if (value.quantity.is_zero() || limit.quantity.is_zero()) return value;
  return value.quantity > limit.quantity ? limit : value;
}

[[nodiscard]] bool is_zero(const Amount& amount) {
  return !amount.opaque && amount.quantity.is_zero();
}

void read_platform_set(const ConfigValue* set, std::string_view key, ResourceList& list) {
  struct Name {
    std::string_view flyte;
    std::string_view kubernetes;
  };
  constexpr std::array names{Name{"cpu", "cpu"}, Name{"memory", "memory"},
                             Name{"ephemeralStorage", "ephemeral-storage"},
                             Name{"gpu", "nvidia.com/gpu"}};
  for (const Name& name : names) {
    Amount amount;
    amount.key = fmt::format("task_resources.{}.{}", key, name.flyte);
    const ConfigValue* value = set == nullptr ? nullptr : set->find(name.flyte);
    if (value != nullptr) {
      amount.node = value->node;
      amount.opaque = value->opaque;
      if (const auto quantity = Quantity::parse(value->text)) amount.quantity = *quantity;
    }
    list.set(name.kubernetes, std::move(amount));
  }
}

struct ListReader {
  std::string_view prefix;
  TaskTarget target;

  [[nodiscard]] std::optional<Quantity> parse(const std::string& text) const {
    if (target == TaskTarget::container && trim(text).size() != text.size()) return std::nullopt;
    return Quantity::parse(text);
  }

  void read(const std::vector<TaskResource>& entries, std::string_view list_name,
            ParsedResources& out, ResourceList& list) const {
    for (const TaskResource& entry : entries) {
      Amount amount;
      amount.node = entry.amount.node();
      amount.key = fmt::format("{}.{}.{}", prefix, list_name, entry.name.value);
      amount.opaque = entry.amount.is_opaque();
      if (!amount.opaque) {
        const auto quantity = parse(entry.amount.value());
        if (!quantity && out.error.empty()) {
          out.error = fmt::format("the `{}` value `{}` is not a quantity", entry.name.value,
                                  entry.amount.value());
          out.error_node = entry.amount.node();
        }
        if (!quantity) continue;
        amount.quantity = *quantity;
      }
      list.set(entry.name.value, std::move(amount));
    }
  }
};

}  // namespace

const Amount* ResourceList::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(
      entries_, name, {}, [](const Entry& entry) { return std::string_view(entry.name); });
  return at != entries_.end() && at->name == name ? &at->amount : nullptr;
}

Amount ResourceList::get(std::string_view name) const {
  const Amount* found = find(name);
  return found == nullptr ? Amount{} : *found;
}

void ResourceList::set(std::string_view name, Amount amount) {
  const auto at = std::ranges::lower_bound(
      entries_, name, {}, [](const Entry& entry) { return std::string_view(entry.name); });
  if (at != entries_.end() && at->name == name) {
    at->amount = std::move(amount);
  } else {
    entries_.insert(at, {std::string(name), std::move(amount)});
  }
}

void ResourceList::erase(std::string_view name) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
}

PlatformResources platform_resources(const ConfigValue& task_resources) {
  PlatformResources platform;
  platform.present = task_resources.is_map();
  if (!platform.present) return platform;
  read_platform_set(task_resources.find("defaults"), "defaults", platform.by_name.requests);
  read_platform_set(task_resources.find("limits"), "limits", platform.by_name.limits);
  return platform;
}

RequestAndLimit adjust_or_default(const Amount& request, const Amount& limit,
                                  const Amount& platform_default, const Amount& platform_limit) {
  RequestAndLimit result{request, limit};
  if (is_zero(result.request)) result.request = is_zero(limit) ? platform_default : limit;
  if (is_zero(result.limit)) result.limit = result.request;
  result.request = ensure_limit(result.request, platform_limit);
  result.limit = ensure_limit(result.limit, platform_limit);
  result.request = ensure_limit(result.request, result.limit);
  return result;
}

void adjust_resource(std::string_view name, const Resources& platform, Resources& resources) {
  RequestAndLimit adjusted =
      adjust_or_default(resources.requests.get(name), resources.limits.get(name),
                        platform.requests.get(name), platform.limits.get(name));
  resources.requests.set(name, std::move(adjusted.request));
  resources.limits.set(name, std::move(adjusted.limit));
}

ParsedResources parse_resources(const std::vector<TaskResource>& requests,
                                const std::vector<TaskResource>& limits, TaskTarget target,
                                std::string_view key_prefix) {
  ParsedResources result;
  const ListReader reader{key_prefix, target};
  reader.read(requests, "requests", result, result.resources.requests);
  reader.read(limits, "limits", result, result.resources.limits);
  return result;
}

}  // namespace gpulint::flyte
