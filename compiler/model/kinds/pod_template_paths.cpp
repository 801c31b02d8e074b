#include "compiler/model/kinds/pod_template_paths.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

struct RoleName {
  std::string_view key;
  std::string_view role;
};
/// Keys whose role has a well-known shorter name; an empty role adds nothing.
constexpr std::array<RoleName, 16> role_names{{{"headGroupSpec", "head"},
                                               {"jobTemplate", ""},
                                               {"leaderTemplate", "leader"},
                                               {"leaderWorkerTemplate", ""},
                                               {"podSets", ""},
                                               {"podTemplate", ""},
                                               {"rayClusterConfig", ""},
                                               {"rayClusterSpec", ""},
                                               {"replicatedJobs", ""},
                                               {"spec", ""},
                                               {"submitterPodTemplate", "submitter"},
                                               {"template", ""},
                                               {"templates", ""},
                                               {"workerGroupSpecs", "worker"},
                                               {"workerTemplate", "worker"},
                                               {"workload", ""}}};

[[nodiscard]] std::string_view role_of_key(std::string_view key) {
  for (const RoleName& known : role_names) {
    if (known.key == key) return known.role;
  }
  return key.ends_with("ReplicaSpecs") ? std::string_view{} : key;
}

/// The key that distinguishes an item of a list from the others.
[[nodiscard]] std::string item_name(Node item) {
  for (const std::string_view key : {"name", "groupName"}) {
    const Field<std::string> name = read_string(item, key);
    if (name.is_known()) return name.value();
  }
  return {};
}

/// Searches for pods in all branches at once; the visited nodes give the path back.
class PodSearch {
 public:
  explicit PodSearch(Node object) : object_(object) {}

  [[nodiscard]] std::vector<PodTemplatePath> run() {
    if (is_pod_spec(object_)) return {PodTemplatePath{.steps = {{{}, object_}}, .use = {}}};
    std::vector<PodTemplatePath> found;
    std::vector<std::size_t> pending;
    add_children(object_, none, pending);
    while (!pending.empty()) {
      const std::size_t at = pending.back();
      pending.pop_back();
      if (is_pod_spec(met_[at].value)) {
        found.push_back(place_of(at));
      } else {
        add_children(met_[at].value, at, pending);
      }
    }
    return found;
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;
  /// aliases of aliases may expand to more than can be read; real ones are small
  static constexpr std::size_t most_met_through_aliases = 50'000;

  struct Met {
    Node key;
    Node value;
    Node use;
    std::size_t parent;
  };

  [[nodiscard]] static bool is_pod_spec(Node node) {
    return node.is_mapping() && is_container_list(node.get("containers"));
  }

  void add_children(Node node, std::size_t parent, std::vector<std::size_t>& pending) {
    const std::size_t first = pending.size();
    const auto add = [&](Node key, Node written, Node use) {
      if (!use && written.is_alias()) use = written;
      if (use && ++met_through_aliases_ > most_met_through_aliases) return;
      pending.push_back(met_.size());
      met_.push_back({key, written.resolved(), use, parent});
    };
    const Node use = parent == none ? Node{} : met_[parent].use;
    if (!node.is_mapping()) {
      for (const Node child : node.children()) add({}, child, use);
    } else {
      bool is_merged = false;
      for (const auto& [key, value] : node.entries()) {
        if (key.text() == "<<" && key.style() == Style::plain) {
          if (!std::exchange(is_merged, true)) add_merged(node, value, use, add);
        } else if (key.text() != "status" && key.text() != "metadata") {
          add(key, value, use);
        }
      }
    }
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
  }

  /// Entries that `mapping` receives from its merge key.
  static void add_merged(Node mapping, Node merged, Node use, const auto& add) {
    for (const auto& [key, value] : mapping.fields()) {
      const bool is_own = key.parent() == mapping;
      if (is_own || key.text() == "status" || key.text() == "metadata") continue;
      add(key, value, use ? use : merged);
    }
  }

  [[nodiscard]] PodTemplatePath place_of(std::size_t spec) const {
    PodTemplatePath place{.steps = {}, .use = met_[spec].use};
    for (std::size_t at = spec; at != none; at = met_[at].parent) {
      place.steps.push_back({met_[at].key, met_[at].value});
    }
    std::ranges::reverse(place.steps);
    return place;
  }

  Node object_;
  std::vector<Met> met_;
  std::size_t met_through_aliases_ = 0;
};

/// Whether the API server reads this place, in an object with its fields in the usual places.
[[nodiscard]] bool is_of_object(const PodTemplatePath& place) {
  const std::string_view first = place.steps.front().key.text();
  return first == "spec" || first == "template";
}

void drop_definitions(std::vector<PodTemplatePath>& places) {
  std::set<NodeIndex> used;
  for (const PodTemplatePath& place : places) {
    if (place.use && is_of_object(place)) used.insert(place.spec().index());
  }
  std::erase_if(places, [&](const PodTemplatePath& place) {
    return !is_of_object(place) && used.contains(place.spec().index());
  });
}

}  // namespace

Node PodTemplatePath::template_in(Node object) const {
  if (steps.back().key.text() != "spec") return spec();
  return steps.size() > 1 ? steps[steps.size() - 2].value : object;
}

std::vector<Node> PodTemplatePath::around_template(Node object) const {
  std::vector<Node> around;
  if (spec() == object) return around;
  const std::size_t of_template = steps.back().key.text() == "spec" ? 2 : 1;
  for (std::size_t i = of_template; i < steps.size(); ++i) {
    around.push_back(steps[steps.size() - 1 - i].value);
  }
  if (template_in(object) != object) around.push_back(object);
  return around;
}

std::string PodTemplatePath::role() const {
  std::vector<std::string> segments;
  for (const Step& step : steps) {
    if (!step.key && steps.size() == 1) break;  // the object itself
    std::string segment =
        step.key ? std::string(role_of_key(step.key.text())) : item_name(step.value);
    if (!segment.empty()) segments.push_back(std::move(segment));
  }
  return fmt::format("{}", fmt::join(segments, "/"));
}

bool is_container_list(Node containers) {
  const std::vector<Node> items = containers.items();
  return std::ranges::any_of(items, [](Node item) {
    return item.get("image").is_scalar() || item.get("name").is_scalar() ||
           item.get("resources").is_mapping();
  });
}

std::vector<PodTemplatePath> find_pod_template_paths(Node object) {
  std::vector<PodTemplatePath> places = PodSearch(object).run();
  drop_definitions(places);
  return places;
}

}  // namespace gpulint
