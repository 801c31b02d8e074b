#include "compiler/project/finding_places.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/project/input_files.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {
namespace {

struct PlacedObject {
  Span span;
  const KubernetesObject* object = nullptr;

  [[nodiscard]] std::pair<FileId, std::uint32_t> begin() const { return {span.file, span.begin}; }
};

[[nodiscard]] std::vector<PlacedObject> objects_in_order(const Project& project) {
  std::vector<PlacedObject> objects;
  for (const Scope& scope : project.scopes) {
    for (const KubernetesObject& object : scope.corpus.objects) {
      objects.push_back({object.node.span(), &object});
    }
  }
  std::ranges::stable_sort(objects, {}, &PlacedObject::begin);
  return objects;
}

[[nodiscard]] FindingObject describe_object(const KubernetesObject& object) {
  const std::string kind = object.kind.value_or("");
  const Node metadata = object.node.get("metadata");
  const bool is_in_none =
      metadata.get("namespace").text().empty() && facts_of_kind(kind).is_cluster_wide;
  return {.api_version = object.api_version.value_or(""),
          .kind = kind,
          .name = object_name(object.node),
          .name_space = is_in_none ? "" : object_namespace(object.node),
          .uid = std::string(metadata.get("uid").text())};
}

[[nodiscard]] std::vector<FindingObject> objects_of_findings(
    const Project& project, const std::vector<Diagnostic>& findings) {
  const std::vector<PlacedObject> objects = objects_in_order(project);
  std::vector<FindingObject> found;
  for (const Diagnostic& finding : findings) {
    const Span place = finding.rendered ? finding.rendered->span : finding.span;
    const auto behind = std::ranges::upper_bound(objects, std::pair(place.file, place.begin), {},
                                                 &PlacedObject::begin);
    const bool is_in_one = behind != objects.begin() &&
                           std::prev(behind)->span.file == place.file &&
                           place.begin < std::prev(behind)->span.end;
    found.push_back(is_in_one ? describe_object(*std::prev(behind)->object) : FindingObject{});
  }
  return found;
}

}  // namespace

FindingPlaces places_of_findings(const Project& project, const Request& request,
                                 const std::vector<Diagnostic>& findings) {
  FindingPlaces places{.objects = objects_of_findings(project, findings),
                       .origins = find_origins(project, request, findings),
                       .piped = {}};
  for (const Diagnostic& finding : findings) {
    const bool is_piped = overlay_name(request, project.sources.file(finding.span)) == "-";
    places.piped.push_back(is_piped ? object_at(project, finding.span) : Node{});
  }
  return places;
}

}  // namespace gpulint
