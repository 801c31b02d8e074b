#include "compiler/project/owner_chains.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint {
namespace {

constexpr int longest_chain = 8;

[[nodiscard]] std::string reference_to(std::string_view kind, Node object) {
  return fmt::format("{}/{}/{}", kind, object_namespace(object), object_name(object));
}

/// `Kind/namespace/name` of the controller that created the object; empty if there is none.
[[nodiscard]] std::string owner_of(Node object) {
  for (const Node owner : object.at("metadata", "ownerReferences").items()) {
    if (owner.get("controller").text() != "true") continue;
    return fmt::format("{}/{}/{}", owner.get("kind").text(), object_namespace(object),
                       owner.get("name").text());
  }
  return {};
}

/// The objects of a scope that have an owner, and their owners among the inputs.
class Chains {
 public:
  explicit Chains(const Corpus& corpus) {
    for (const KubernetesObject& object : corpus.objects) {
      std::string owner = owner_of(object.node);
      if (!owner.empty()) owned_.push_back({&object, std::move(owner)});
    }
    if (owned_.empty()) return;
    std::set<std::string> owners;
    for (const Owned& each : owned_) owners.insert(each.owner);
    for (const KubernetesObject& object : corpus.objects) {
      std::string name = reference_to(object.kind.value_or(""), object.node);
      if (owners.contains(name)) known_.emplace(std::move(name), &object);
    }
  }

  /// Calls `tell` with each object, its topmost owner and its depth. An object may occur several
  /// times.
  void visit(const auto& tell) const {
    for (const Owned& each : owned_) {
      std::string top = each.owner;
      int depth = 1;
      const KubernetesObject* at = find(top);
      while (at != nullptr && depth < longest_chain) {
        std::string above = owner_of(at->node);
        if (above.empty()) break;
        top = std::move(above);
        at = find(top);
        ++depth;
      }
      if (at != nullptr) tell(*at, top, 0);
      tell(*each.object, top, depth);
    }
  }

 private:
  struct Owned {
    const KubernetesObject* object = nullptr;
    std::string owner;
  };

  [[nodiscard]] const KubernetesObject* find(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? nullptr : found->second;
  }

  std::vector<Owned> owned_;
  std::map<std::string, const KubernetesObject*> known_;
};

}  // namespace

std::vector<ChainedObject> find_chained(const Project& project) {
  std::vector<ChainedObject> objects;
  std::set<std::pair<FileId, std::uint32_t>> seen;  // a file may be part of several scopes
  for (const Scope& scope : project.scopes) {
    Chains(scope.corpus)
        .visit([&](const KubernetesObject& object, const std::string& top, int depth) {
          const Span span = object.node.span();
          if (!seen.emplace(span.file, span.begin).second) return;
          objects.push_back({span, object.node, object.kind.value_or(""), top, depth});
        });
  }
  std::ranges::sort(objects, {}, [](const ChainedObject& object) {
    return std::pair(object.span.file, object.span.begin);
  });
  return objects;
}

namespace {

/// The object around a place; null if there is none.
[[nodiscard]] const ChainedObject* object_around(const std::vector<ChainedObject>& objects,
                                                 Span place) {
  const auto behind = std::ranges::upper_bound(
      objects, std::pair(place.file, place.begin), {},
      [](const ChainedObject& object) { return std::pair(object.span.file, object.span.begin); });
  if (behind == objects.begin()) return nullptr;
  const ChainedObject& object = *std::prev(behind);
  return object.span.file == place.file && place.begin < object.span.end ? &object : nullptr;
}

/// The message without the object's name, kind and the role of its template.
[[nodiscard]] std::string without_name(std::string message, const ChainedObject& object) {
  const std::string name = fmt::format("`{}`", object_name(object.node));
  const std::string kind = object.kind + " ";
  for (std::size_t at = 0; (at = message.find(name, at)) != std::string::npos; ++at) {
    std::size_t end = at + name.size();
    if (std::string_view(message).substr(0, at).ends_with(kind)) {
      at -= kind.size();
      const std::size_t close = message.find(')', end);
      if (message.compare(end, 2, " (") == 0 && close != std::string::npos) end = close + 1;
    }
    message.replace(at, end - at, "``");
  }
  return message;
}

/// Equal for findings with the same rule and message in objects of one chain.
using AlikeKey = std::tuple<std::string_view, const RuleInfo*, std::string>;

[[nodiscard]] AlikeKey alike_key(const Diagnostic& finding, const ChainedObject& object) {
  return {object.top, finding.rule, without_name(finding.message, object)};
}

/// Findings with the same rule and message in objects of one chain.
struct Alike {
  const ChainedObject* kept = nullptr;  ///< The object nearest to the top, whose finding is kept.
  std::set<const ChainedObject*> objects;
};

/// "4 other pods of ReplicaSet/team/a", "1 ReplicaSet and 4 pods of Deployment/team/a"; empty if
/// there are no others.
[[nodiscard]] std::string others_text(const Alike& alike, const Project& project) {
  std::size_t pods = 0;
  std::map<std::string, std::size_t> kinds;
  for (const ChainedObject* object : alike.objects) {
    if (object->kind == "Pod") {
      pods += project.pods_alike.of(object->node) + (object == alike.kept ? 0 : 1);
    } else if (object != alike.kept) {
      ++kinds[object->kind];
    }
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) {
    parts.push_back(fmt::format("{} {}{}", count, kind, count == 1 ? "" : "s"));
  }
  if (pods > 0) {
    parts.push_back(fmt::format("{}{} pod{}", pods, alike.kept->kind == "Pod" ? " other" : "",
                                pods == 1 ? "" : "s"));
  }
  if (parts.empty()) return {};
  return fmt::format("{} of {}", fmt::join(parts, " and "), alike.kept->top);
}

}  // namespace

void group_by_owner(const Project& project, std::vector<Diagnostic>& findings) {
  const std::vector<ChainedObject> objects = find_chained(project);
  if (objects.empty()) return;
  std::map<AlikeKey, Alike> groups;
  std::vector<std::pair<const ChainedObject*, Alike*>> of_finding;
  for (const Diagnostic& finding : findings) {
    const ChainedObject* const object = object_around(objects, finding.span);
    Alike* alike = nullptr;
    if (object != nullptr) {
      alike = &groups[alike_key(finding, *object)];
      if (alike->kept == nullptr || object->depth < alike->kept->depth) alike->kept = object;
      alike->objects.insert(object);
    }
    of_finding.emplace_back(object, alike);
  }
  std::vector<Diagnostic> kept;
  std::set<const Alike*> explained;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto [object, alike] = of_finding[i];
    if (alike != nullptr && object != alike->kept) continue;
    kept.push_back(std::move(findings[i]));
    if (alike == nullptr || !explained.insert(alike).second) continue;
    const std::string others = others_text(*alike, project);
    if (!others.empty()) kept.back().add_help("the same applies to " + others);
  }
  findings = std::move(kept);
}

void drop_silenced_by_owner(const Project& project, const std::vector<Diagnostic>& silenced,
                            std::vector<Diagnostic>& findings) {
  if (silenced.empty()) return;
  const std::vector<ChainedObject> objects = find_chained(project);
  std::map<AlikeKey, int> depths;  // of the topmost object with a suppressed finding
  for (const Diagnostic& finding : silenced) {
    const ChainedObject* const object = object_around(objects, finding.span);
    if (object == nullptr) continue;
    const auto [known, is_new] = depths.try_emplace(alike_key(finding, *object), object->depth);
    if (!is_new) known->second = std::min(known->second, object->depth);
  }
  if (depths.empty()) return;
  std::erase_if(findings, [&](const Diagnostic& finding) {
    const ChainedObject* const object = object_around(objects, finding.span);
    if (object == nullptr) return false;
    const auto known = depths.find(alike_key(finding, *object));
    return known != depths.end() && known->second < object->depth;
  });
}

}  // namespace gpulint
