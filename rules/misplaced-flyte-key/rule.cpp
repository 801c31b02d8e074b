#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/edit/move_entry.h"
#include "compiler/ir/node.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::misplaced_flyte_key {
namespace {

[[nodiscard]] inline bool has_dot(std::string_view key) { return key.find('.') != key.npos; }

/// The place of a key that belongs to `plugins.k8s`.
struct Place {
  std::vector<std::string_view> keys;  ///< From the document's root to its mapping.
  bool is_below = false;               ///< In the section or deeper.
  std::size_t depth = 0;               ///< The number of keys that lead to the section.
};

/// Whether Flyte reads the key there, or it may not be meant for Flyte.
[[nodiscard]] bool is_in_order(const PluginReader& reader, const Place& place,
                               std::string_view key) {
  const auto& keys = place.keys;
  const bool is_below_path = std::ranges::any_of(
      keys, [](std::string_view k) { return has_dot(k) && is_flyte_plugin_key(k); });
  if (is_below_path) return true;  // reported at that key
  const bool is_gpu_key = is_flyte_gpu_key(key);
  if (place.is_below) {
    if (keys.size() == place.depth) return !has_dot(key);
    return !is_gpu_key || keys[place.depth].starts_with("default-");
  }
  // A key of flyte-binary's values, and of a chart that is similar to flyte-core.
  if (key == "co-pilot" && keys.size() == 1 && keys.front() == "configuration") return true;
  std::size_t length = 0;
  if (begins_with(keys, "config.*.plugins.k8s", length)) return true;
  return !is_gpu_key && !is_near_plugins(keys, reader.path);
}

/// A misplaced key and the keys of `plugins.k8s` next to it: a block that was misplaced as a whole,
/// including keys that are not about GPUs.
[[nodiscard]] std::vector<Node> misplaced_block(const Place& place, Node misplaced) {
  std::vector<Node> block;
  std::set<std::string_view> names;
  for (const Node::Entry& entry : misplaced.parent().entries()) {
    const std::string_view name = entry.key.text();
    const bool is_of_chart = name == "co-pilot" && place.keys.size() < 2;
    const bool is_of_block =
        is_flyte_plugin_key(name) && !entry.key.is_opaque() && !has_dot(name) && !is_of_chart;
    const bool is_told = entry.value == misplaced || is_of_block;
    if (is_told && names.insert(name).second) block.push_back(entry.value);
  }
  return block;
}

void report_path(Reporter& reporter, const PluginReader& reader, Node key) {
  std::string_view rest = key.text();
  for (const std::string_view section : {"plugins.", "k8s"}) {
    if (rest.starts_with(section)) rest.remove_prefix(section.size());
  }
  if (rest.starts_with('.')) rest.remove_prefix(1);
  reporter.report(key, "Flyte reads `{}` as one key with a dot, not as a path", key.text())
      .help("write each part of `{}{}{}` as a nested key", example_path(reader),
            rest.empty() ? "" : ".", rest);
}

/// `key`, or `key` and 2 more keys. Each is reported.
[[nodiscard]] std::string name_block(const std::vector<Node>& block) {
  const std::string_view first = block.front().key().text();
  return block.size() == 1
             ? fmt::format("`{}`", first)
             : fmt::format("`{}` and {}", first, count_text(block.size() - 1, "more key"));
}

[[nodiscard]] Finding report_block(Reporter& reporter, const PluginReader& reader,
                                   const Place& place, const std::vector<Node>& block) {
  const Node key = block.front().key();
  const std::string names = name_block(block);
  const bool is_one = block.size() == 1;
  const std::string_view noun = is_one ? "the key" : "the keys";
  const std::vector<std::string_view>& keys = place.keys;
  if (place.is_below) {
    const auto section_end = keys.begin() + static_cast<std::ptrdiff_t>(place.depth);
    return reporter.report(key, "Flyte ignores {} inside `{}`", names, keys.back())
        .help("move {} next to `{}`, directly under `{}`", noun, keys[place.depth],
              fmt::join(keys.begin(), section_end, "."));
  }
  return reporter
      .report(key, "{} ignores {} {}", reader.name, names,
              keys.empty() ? "at the root" : fmt::format("under `{}`", fmt::join(keys, ".")))
      .help("move {} to `{}`, where {} reads {}", noun, example_path(reader), reader.name,
            is_one ? "it" : "them");
}

/// Configuration written in one place: the values, or the target of an alias outside of them.
struct Part {
  Node top;
  std::vector<std::string_view> keys;  ///< From the values to it.
};

/// The part that an alias in `part` refers to, if it is outside of `root`. Targets inside are found
/// there.
[[nodiscard]] std::optional<Part> part_elsewhere(Node root, const Part& part, Node alias) {
  const Node target = alias.resolved();
  if (!alias.is_alias() || target.is_scalar() || root.span().overlaps(target.span())) {
    return std::nullopt;
  }
  Part other{target, part.keys};
  std::ranges::copy(keys_between(part.top, alias), std::back_inserter(other.keys));
  return other;
}

/// The parts of the configuration, each once.
[[nodiscard]] std::vector<Part> find_parts(Node root) {
  std::vector<Part> parts{{root, {}}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part part = parts[i];
    walk(part.top, [&](Node node) {
      auto other = part_elsewhere(root, part, node);
      if (other && std::ranges::find(parts, other->top, &Part::top) == parts.end()) {
        parts.push_back(*std::move(other));
      }
    });
  }
  return parts;
}

void check_part(const Corpus& corpus, Reporter& reporter, Node root, const PluginReader& reader,
                const Part& part) {
  const NewPlace section = find_plugin_section(reader, root);
  Node reported;
  walk(part.top, [&](Node value) {
    const Node key = value == part.top ? Node{} : value.key();
    if (!key || key.is_opaque() || !is_flyte_plugin_key(key.text()) || value.parent() == reported)
      return;
    Place place{.keys = part.keys};
    std::ranges::copy(keys_between(part.top, value.parent()), std::back_inserter(place.keys));
    place.is_below = begins_with(place.keys, reader.path, place.depth);
    if (is_in_order(reader, place, key.text())) return;
    if (has_dot(key.text())) return report_path(reporter, reader, key);
    reported = value.parent();
    std::vector<Node> block = misplaced_block(place, value);
    Finding finding = report_block(reporter, reader, place, block);
    for (const Node other : block) {
      if (other != block.front()) finding.related(other.key(), "this key is also misplaced");
    }
    if (part.top != root) return;  // other places may use the anchor
    // Keys that the section already has are not moved.
    std::erase_if(block, [&](Node each) {
      return section.keys.empty() && section.mapping.get(each.key().text());
    });
    finding.fix(
        Safety::unsafe,
        fmt::format("move the key{} to `{}`", block.size() == 1 ? "" : "s", example_path(reader)),
        move_entries(*corpus.sources, block, section));
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Document* document : corpus.documents) {
    if (!document->errors.empty()) continue;
    for (const auto& known : recognize_values(*document, corpus.settings->flyte_chart)) {
      const PluginReader reader = plugin_reader(known.kind);
      for (const Part& part : find_parts(known.root)) {
        check_part(corpus, reporter, known.root, reader, part);
      }
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "flyte", .fix = FixAvailability::unsafe},
                                 .check = check,
                                 .depends_on = DependsOn::file};

}  // namespace gpulint::rules::misplaced_flyte_key
