#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "compiler/base/likeness.h"
#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/python.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_cards.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/why/change_steps.h"
#include "compiler/why/devices.h"
#include "compiler/why/groups.h"

namespace gpulint {
namespace {

constexpr std::size_t most_of_term = 6;
constexpr std::size_t most_fixes = 24;
constexpr const char* nodepool_label = "karpenter.sh/nodepool";

/// Whether both name the same GPU, whole or in parts.
[[nodiscard]] bool is_same_device(std::string_view a, std::string_view b) {
  const std::vector<const DeviceName*> of_b = find_device(whole_product(b));
  return std::ranges::any_of(find_device(whole_product(a)), [&](const DeviceName* name) {
    return std::ranges::any_of(
        of_b, [&](const DeviceName* other) { return other->product == name->product; });
  });
}

class Search {
 public:
  /// `keeps_device`: the nearest nodes have the required device.
  Search(const WhySubject& subject, const SourceSet& sources, bool keeps_device)
      : subject_(subject),
        sources_(sources),
        pod_(*subject.subject.prepared().spec),
        keeps_device_(keeps_device) {}

  void add(const why::FailedTerm& failed, const why::Group& group) {
    const Term& term = failed.term;
    if (failed.is_reserved) return add_pool_names(term, group);
    if (!tried_.emplace(term.key, demand_text(term)).second) return;
    const bool is_kept = keeps_device_ && why::is_device_label(term.key, subject_.subject);
    const bool is_label = !is_kept && (term.kind == ReasonKind::node_selector ||
                                       term.kind == ReasonKind::node_affinity);
    if (is_label && term.op == "In" && !is_platform(term.key)) {
      for (const std::string& wanted : term.values) add_label(term, wanted);
    }
    const bool is_missing = term.kind == ReasonKind::insufficient_resource &&
                            !why::lacks_amount(failed) && term.key.find('/') != std::string::npos;
    if (is_missing) add_resource(term);
  }

  [[nodiscard]] ValueFixes take() && { return std::move(result_); }

 private:
  using Names = std::set<std::string>;

  /// Values of nodes that may be meant by `wanted`, most likely first, without other GPUs.
  [[nodiscard]] std::vector<std::string> ranked(const std::string& wanted, Names names,
                                                bool is_device = false) {
    std::erase_if(names, [&](const std::string& name) {
      return name == wanted || !may_be_same_card(wanted, name, is_device);
    });
    std::vector<std::string> list(names.begin(), names.end());
    sort_by_likeness(wanted, list);
    std::ranges::stable_partition(
        list, [&](const std::string& name) { return is_same_device(wanted, name); });
    if (list.size() > most_of_term) {
      list.resize(most_of_term);
      result_.is_complete = false;
    }
    return list;
  }

  void push(std::string title, const std::optional<std::vector<Edit>>& edits) {
    if (!edits || edits->empty()) return;
    if (result_.fixes.size() == most_fixes) {
      result_.is_complete = false;
      return;
    }
    result_.fixes.push_back({Safety::unsafe, std::move(title), *edits});
  }

  /// The platform of the image: never a misspelling.
  [[nodiscard]] static bool is_platform(std::string_view key) {
    return key.ends_with("kubernetes.io/arch") || key.ends_with("kubernetes.io/os");
  }

  /// Whether another label may have the same meaning: by its known role, or by its name.
  [[nodiscard]] static bool may_mean(std::string_view wanted, std::string_view key) {
    const auto name_of = [](std::string_view label) {
      return label.substr(label.rfind('/') + 1);  // npos + 1 is 0
    };
    return !labels_with_key(key).empty() || (is_gpu_label(wanted) && is_gpu_label(key)) ||
           name_of(wanted) == name_of(key) || edit_distance(wanted, key, 2) <= 2;
  }

  void add_label(const Term& term, const std::string& wanted) {
    const bool is_device = why::is_device_label(term.key, subject_.subject);
    Names values;
    Names keys;
    for (const NodePool& pool : subject_.subject.cluster().pools) {
      for (const PoolLabel& label : pool.labels) {
        const bool is_stated =
            label.known == PoolLabel::Known::exact || label.known == PoolLabel::Known::one_of;
        if (!is_stated) continue;
        if (label.key == term.key) values.insert(label.values.begin(), label.values.end());
        const bool is_carried = std::ranges::find(label.values, wanted) != label.values.end();
        if (is_carried && may_mean(term.key, label.key)) keys.insert(label.key);
      }
    }
    for (const std::string& value : ranked(wanted, values, is_device)) {
      // The selector of a DaemonSet is for all nodes: the node's label is wrong.
      if (value.empty() && subject_.subject.prepared().is_of_daemon_set) continue;
      push(fmt::format("require `{}={}`", term.key, value),
           replace_label(term, term.key, wanted, value));
    }
    if (!values.empty() || term.values.size() > 1) return;
    for (const std::string& key : ranked(term.key, keys)) {
      push(fmt::format("require `{}={}`", key, wanted), replace_label(term, key, wanted, wanted));
    }
  }

  /// Selects pools by name instead of by a label that Karpenter reserves.
  void add_pool_names(const Term& term, const why::Group& group) {
    if (term.op != "In" || term.values.size() != 1) return;
    for (const NodePool* pool : group.pools) {
      if (pool->name.empty() || !tried_.emplace(term.key, pool->name).second) continue;
      push(fmt::format("require `{}={}`", nodepool_label, pool->name),
           replace_label(term, nodepool_label, term.values.front(), pool->name));
    }
  }

  void add_resource(const Term& term) {
    Names names;
    const std::string_view domain = domain_of(term.key);
    for (const NodePool& pool : subject_.subject.cluster().pools) {
      for (const ResourceEntry& entry : pool.allocatable) {
        const bool is_none = entry.amount.is_known() && entry.amount.value().is_zero();
        if (!is_none && domain_of(entry.name.value) == domain) names.insert(entry.name.value);
      }
    }
    for (const std::string& name : ranked(term.key, names)) {
      push(fmt::format("request `{}`", name), rename(term.key, name));
    }
  }

  [[nodiscard]] static std::string_view domain_of(std::string_view name) {
    return name.substr(0, name.find('/'));
  }

  /// nullopt if one of the places cannot be edited.
  [[nodiscard]] std::optional<std::vector<Edit>> replace_label(const Term& term,
                                                               const std::string& key,
                                                               const std::string& wanted,
                                                               const std::string& value) const {
    std::vector<Edit> edits;
    bool is_done = true;
    const auto correct = [&](Node key_node, Node value_node) {
      is_done = is_done && replace(key_node, term.key, key, edits) &&
                replace(value_node, wanted, value, edits);
    };
    for (const LabelEntry& entry : pod_.node_selector) {
      if (entry.key.value != term.key || !entry.value.equals(wanted)) continue;
      correct(entry.key.node, entry.value.node());
    }
    for (const SelectorTerm& alternative : pod_.node_affinity.required) {
      for (const SelectorRequirement& expression : alternative.expressions) {
        if (!expression.key.equals(term.key) || !expression.op.equals("In")) continue;
        if (expression.values.size() != term.values.size()) continue;
        for (const Field<std::string>& each : expression.values) {
          if (each.equals(wanted)) correct(expression.key.node(), each.node());
        }
      }
    }
    return is_done ? std::optional(std::move(edits)) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::vector<Edit>> rename(const std::string& name,
                                                        const std::string& new_name) const {
    std::vector<Edit> edits;
    for (const Container& container : pod_.containers) {
      for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
        for (const ResourceEntry& entry : *entries) {
          if (entry.name.value == new_name) return std::nullopt;
          if (entry.name.value != name) continue;
          // The name of a task's resource is the key of its amount.
          const Node key = entry.name.node.text() == name ? entry.name.node : entry.name.node.key();
          if (!replace(key, name, new_name, edits)) return std::nullopt;
        }
      }
    }
    std::ranges::sort(edits);
    edits.erase(std::ranges::unique(edits).begin(), edits.end());
    return edits;
  }

  /// False if it cannot be edited.
  [[nodiscard]] bool replace(Node written, const std::string& is, const std::string& due,
                             std::vector<Edit>& edits) const {
    if (is == due) return true;
    if (!written || written.text() != is || !may_edit(subject_, written.span())) return false;
    const bool is_python = python::is_source(sources_.file(written.span()).path());
    const std::vector<Edit> some =
        is_python ? replace_literal(written, is, due) : replace_string(sources_, written, due);
    if (some.empty()) return false;
    std::ranges::copy(some, std::back_inserter(edits));
    return true;
  }

  /// In Python, replaces a literal only if the value is its whole content.
  [[nodiscard]] std::vector<Edit> replace_literal(Node written, const std::string& is,
                                                  const std::string& due) const {
    const SourceFile& file = sources_.file(written.span());
    const std::string_view text = file.text(written.span());
    const bool is_literal = text.size() == is.size() + 2 && text.substr(1, is.size()) == is &&
                            (text.front() == '"' || text.front() == '\'') &&
                            text.front() == text.back();
    if (!is_literal || file.encoding() != SourceFile::Encoding::utf8) return {};
    if (due.find_first_of("\"'\\") != std::string::npos) return {};
    return {{written.span(), fmt::format("{0}{1}{0}", text.front(), due)}};
  }

  const WhySubject& subject_;
  const SourceSet& sources_;
  const PodSpec& pod_;
  bool keeps_device_;
  std::set<std::pair<std::string, std::string>> tried_;
  ValueFixes result_;
};

/// Whether the nearest nodes only offer too little of what is requested.
[[nodiscard]] bool lacks_amounts_alone(const std::vector<why::Group>& groups) {
  const std::vector<const why::Group*> nearest = why::worth_trying(groups, 1);
  return !nearest.empty() && std::ranges::all_of(nearest.front()->terms, why::lacks_amount);
}

}  // namespace

ValueFixes value_fixes(const WhySubject& subject, const std::vector<why::Group>& groups,
                       const SourceSet& sources) {
  Search search(subject, sources, lacks_amounts_alone(groups));
  for (const why::Group& group : groups) {
    for (const why::FailedTerm& failed : group.terms) search.add(failed, group);
  }
  return std::move(search).take();
}

}  // namespace gpulint
