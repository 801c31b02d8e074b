#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/model/facts/kubernetes_kinds.h"

namespace gpulint::rules::kind_spelling {
namespace {

/// `PodList` counts as `Pod`.
[[nodiscard]] std::string_view without_list(std::string_view kind) {
  if (kind.size() > 4 && kind.ends_with("List")) kind.remove_suffix(4);
  return kind;
}

/// Whether it is an object, not a mapping that happens to have a key `kind`.
[[nodiscard]] bool looks_like_kubernetes(Node object) {
  return object.get("metadata") || object.get("spec") || object.get("items");
}

void check_object(const Corpus& corpus, Reporter& reporter, const KubernetesObject& object) {
  if (!object.api_version.is_known() || !object.kind.is_known()) return;
  const std::string& version = object.api_version.value();
  const std::string& kind = object.kind.value();
  const Node place = object.kind.node();
  const std::string_view group = api_group(version);
  const auto known = find_kind(group, kind);
  if ((known && *known == kind) || !looks_like_kubernetes(object.node)) return;
  if (known) {
    reporter.report(place, "`{}` has no kind `{}`, because kinds are case-sensitive", version, kind)
        .fix(Safety::safe, fmt::format("write `{}`", *known),
             replace_string(*corpus.sources, place, *known));
    return;
  }
  const auto kinds = kinds_of_closed_group(group);
  if (kinds.empty() || find_kind(group, without_list(kind))) return;
  if (const auto right_version = api_version_of_kind(kind)) {
    reporter.report(place, "`{}` has no kind `{}`", version, kind)
        .related(object.api_version.node(), "the object has this `apiVersion`")
        .fix(Safety::unsafe, fmt::format("write `apiVersion: {}`", *right_version),
             replace_string(*corpus.sources, object.api_version.node(), *right_version));
  } else if (const auto near = nearest(kind, kinds)) {
    reporter.report(place, "`{}` has no kind `{}`", version, kind)
        .fix(Safety::unsafe, fmt::format("write `{}`", *near),
             replace_string(*corpus.sources, place, *near));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    check_object(corpus, reporter, object);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::kind_spelling
