#include "compiler/model/dra/review.h"

#include <algorithm>
#include <utility>

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
    if (most + 1 >= terms.size()) return;
  }
}

}  // namespace

template <class Choose>
void Reviewer::gather(const Choose& choose, Devices& devices) const {
  std::vector<DeviceIndex::Group> groups;
  for (const Slice& slice : inventory_->slices()) {
    if (slice.is_open) return;
    for (const Device& device : slice.devices) {
      const Verdict chosen = device.is_open ? Verdict::open : choose(device);
      if (chosen == Verdict::open || groups.size() > most_reviewed) return;
      if (chosen == Verdict::yes) groups.push_back({{&device}, false});
    }
  }
  if (groups.size() > most_reviewed) return;
  for (const DeviceIndex::Group& group : groups) devices.all.push_back(group.devices.front());
  devices.index.emplace(std::move(groups));
}

SelectorReview Reviewer::review(const Devices& devices, const cel::Selector& selector) {
  SelectorReview result;
  result.is_open = !devices.index || selector.understood() != cel::Understood::fully;
  if (result.is_open) return result;
  result.devices = devices.all.size();
  std::vector<const Device*> failing;
  for (const std::size_t i : devices.index->find(selector.demands())) {
    const Device* device = devices.all[i];
    const Verdict verdict = selector.match(device->variable).verdict;
    if (verdict == Verdict::open) result.is_open = true;
    if (result.is_open) return result;
    if (verdict == Verdict::yes) ++result.satisfied;
    if (verdict == Verdict::error) failing.push_back(device);
  }
  result.failing = failing.size();
  find_nearest(selector, result.satisfied == 0 ? devices.all : failing, result);
  return result;
}

SelectorReview Reviewer::review(const Wanted& wanted, const cel::Selector& selector) {
  const auto [at, is_new] = by_class_.try_emplace(wanted.device_class);
  const DeviceClass* own = is_new ? inventory_->find_class(wanted.device_class) : nullptr;
  if (own != nullptr && !own->is_open) {
    gather([&](const Device& device) { return select_by_class(*own, device); }, at->second);
  }
  return review(at->second, selector);
}

SelectorReview Reviewer::review_all(const cel::Selector& selector) {
  if (!all_) gather([](const Device&) { return Verdict::yes; }, all_.emplace());
  return review(*all_, selector);
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
