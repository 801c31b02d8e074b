#include "compiler/model/dra/review.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::dra {
namespace {

using cel::Verdict;

struct Named {
  bool is_capacity = false;
  cel::QualifiedName name;
};

[[nodiscard]] std::vector<Named> names_of(const Device& device) {
  std::vector<Named> names;
  const std::string_view driver = device.view.driver ? *device.view.driver : std::string_view();
  for (const auto& [name, value] : device.view.attributes) {
    names.push_back({false, cel::qualify(name, driver)});
  }
  for (const auto& [name, value] : device.view.capacity) {
    names.push_back({true, cel::qualify(name, driver)});
  }
  return names;
}

/// How far a name is from the written one; its map and its domain also count.
[[nodiscard]] std::size_t distance(const Named& named, const cel::Selector::Use& use) {
  constexpr std::size_t slip = 2;
  const auto [domain, name] = named.name;
  const std::size_t spelling = edit_distance(to_lower(name), to_lower(use.name), slip);
  if (spelling > slip) return SIZE_MAX;
  return spelling * 4 + (name == use.name ? 0 : 1) + (domain == use.domain ? 0 : 1) +
         (named.is_capacity == use.is_capacity ? 0 : 1);
}

/// The device for which most terms hold, the first of equals.
void find_nearest(const cel::Selector& selector, const std::vector<const Device*>& devices,
                  SelectorReview& result) {
  const std::vector<cel::Index> terms = selector.terms();
  std::size_t most = 0;
  for (const Device* device : devices) {
    std::size_t held = 0;
    std::optional<cel::Index> failed;
    cel::Match match;
    for (const cel::Index term : terms) {
      const cel::Match one = selector.match_term(term, device->variable);
      if (one.verdict == Verdict::yes) ++held;
      if (one.verdict == Verdict::yes || failed) continue;
      failed = term;
      match = one;
    }
    if (!failed || (result.nearest != nullptr && held <= most)) continue;
    most = held;
    result.nearest = device;
    result.term = selector.term_text(*failed);
    result.match = std::move(match);
  }
}

/// How the selector applies to the devices for which `choose` returns yes.
template <class Choose>
[[nodiscard]] SelectorReview review(const Inventory& inventory, const cel::Selector& selector,
                                    const Choose& choose) {
  SelectorReview result;
  result.is_open = selector.understood() != cel::Understood::fully;
  if (result.is_open) return result;
  std::vector<const Device*> refused;
  std::vector<const Device*> failing;
  for (const Slice& slice : inventory.slices()) {
    result.is_open = result.is_open || slice.is_open;
    for (const Device& device : slice.devices) {
      const Verdict chosen = choose(device);
      if (chosen == Verdict::open) result.is_open = true;
      if (chosen != Verdict::yes) continue;
      if (++result.devices > most_reviewed) {
        result.is_open = true;
        return result;
      }
      const Verdict verdict = selector.match(device.variable).verdict;
      if (verdict == Verdict::open) result.is_open = true;
      if (verdict == Verdict::yes) ++result.satisfied;
      if (verdict == Verdict::yes) continue;
      refused.push_back(&device);
      if (verdict == Verdict::error) failing.push_back(&device);
    }
  }
  result.failing = failing.size();
  find_nearest(selector, result.satisfied == 0 ? refused : failing, result);
  return result;
}

}  // namespace

SelectorReview review(const Inventory& inventory, const Wanted& wanted,
                      const cel::Selector& selector) {
  const DeviceClass* device_class = inventory.find_class(wanted.device_class);
  if (device_class == nullptr || device_class->is_open) {
    SelectorReview open;
    open.is_open = true;
    return open;
  }
  return review(inventory, selector, [&](const Device& device) {
    return device.is_open ? Verdict::open : select_by_class(*device_class, device);
  });
}

SelectorReview review_all(const Inventory& inventory, const cel::Selector& selector) {
  return review(inventory, selector,
                [](const Device& device) { return device.is_open ? Verdict::open : Verdict::yes; });
}

std::optional<WrongName> find_wrong_name(const cel::Selector& selector, const Device& device) {
  const std::vector<Named> names = names_of(device);
  for (const cel::Selector::Use& use : selector.uses()) {
    if (use.name.empty()) continue;
    const bool is_there = std::ranges::any_of(names, [&](const Named& named) {
      return named.is_capacity == use.is_capacity && named.name.domain == use.domain &&
             named.name.name == use.name;
    });
    if (is_there) continue;
    WrongName wrong{use, {}};
    const auto nearest = std::ranges::min_element(
        names, {}, [&](const Named& named) { return distance(named, use); });
    if (nearest != names.end() && distance(*nearest, use) != SIZE_MAX) {
      const auto& [domain, name] = nearest->name;
      wrong.suggestion = fmt::format(
          "device.{}[\"{}\"].{}", nearest->is_capacity ? "capacity" : "attributes", domain, name);
    }
    return wrong;
  }
  return std::nullopt;
}

}  // namespace gpulint::dra
