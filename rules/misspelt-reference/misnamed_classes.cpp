#include "rules/misspelt-reference/misnamed_classes.h"

#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/dra.h"

namespace gpulint::rules::misspelt_reference {
namespace {

using Places = std::map<std::string, Node, std::less<>>;

/// The classes that claims and templates name, each with the first place.
[[nodiscard]] Places asked_for(const Corpus& corpus) {
  Places places;
  for (const KubernetesObject& object : corpus.objects) {
    for (const DeviceRequest& request : read_device_requests(object)) {
      const Field<std::string>& name = request.device_class;
      if (name.is_known()) places.try_emplace(name.value(), name.node());
    }
  }
  return places;
}

[[nodiscard]] Places given(const Corpus& corpus) {
  Places places;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("DeviceClass")) continue;
    const Field<std::string> name = read_string(object.node.get("metadata"), "name");
    if (name.is_known()) places.try_emplace(name.value(), name.node());
  }
  return places;
}

}  // namespace

void check_misnamed_classes(const Corpus& corpus, Reporter& reporter) {
  const Places classes = given(corpus);
  if (classes.empty()) return;
  const Places wanted = asked_for(corpus);
  for (const auto& [name, place] : classes) {
    const auto meant = suggest_device_class(name);
    if (!meant || wanted.contains(name) || classes.contains(*meant)) continue;
    const auto user = wanted.find(*meant);
    if (user == wanted.end()) continue;
    reporter
        .report(place, "no claim names DeviceClass `{}`; `{}`, which is claimed, is not given",
                name, *meant)
        .severity(Severity::warning)
        .related(user->second, "a claim of the class that is not given")
        .help("no node has a device of a class that is not there; NVIDIA's driver may make its own")
        .fix(Safety::unsafe, fmt::format("write `{}`", *meant),
             replace_string(*corpus.sources, place, *meant));
  }
}

}  // namespace gpulint::rules::misspelt_reference
