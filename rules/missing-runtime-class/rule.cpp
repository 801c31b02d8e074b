#include "compiler/engine/rule.h"

#include <string>
#include <string_view>

#include "compiler/edit/edits.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/schedule/gpu_daemon.h"
#include "rules/missing-runtime-class/absent_class.h"
#include "rules/missing-runtime-class/platform.h"
#include "rules/support/queries.h"

namespace gpulint::rules::missing_runtime_class {
namespace {

/// The runtime class that GPU pods need, and the RuntimeClass it was taken from.
struct NeededClass {
  std::string name;             ///< Empty: none is known to be needed.
  Node runtime_class;           ///< Nothing where gpulint.yaml declares it.
  std::string_view platform{};  ///< Whose nodes need it, unless its default was changed.
};

[[nodiscard]] NeededClass find_needed_class(const Corpus& corpus) {
  if (!corpus.settings->runtime_class.empty()) return {corpus.settings->runtime_class, {}};
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("RuntimeClass")) continue;
    const Field<std::string> handler = read_string(object.node, "handler");
    const std::string name = object_name(object.node);
    if (handler.equals("nvidia") && !name.empty()) return {name, object.node.get("handler")};
  }
  if (const auto platform = find_platform(corpus.cluster)) {
    return {"nvidia", platform->evidence, platform->name};
  }
  return {};
}

/// The request for an NVIDIA device that the pod's containers make first; null where none does.
[[nodiscard]] const ResourceEntry* find_nvidia_request(const PodSpec& pod) {
  for (const Container& container : pod.containers) {
    const ResourceEntry* request = find_gpu_request(container);
    if (request != nullptr && is_nvidia_device(request->name.value) && requests_gpu(container)) {
      return request;
    }
  }
  return nullptr;
}

void offer(const Corpus& corpus, const NeededClass& needed, const Workload& workload,
           Finding& finding) {
  finding.fix(Safety::unsafe, fmt::format("write `runtimeClassName: {}`", needed.name),
              insert_entry(*corpus.sources, workload.pod.node, "runtimeClassName",
                           yaml_string(needed.name)));
}

/// Device plugins ask NVIDIA's driver for the devices, so they need the runtime, too.
void check_plugin(const Corpus& corpus, const NeededClass& needed, const Workload& workload,
                  Reporter& reporter) {
  const auto daemon = find_gpu_daemon(workload);
  const bool is_plugin = daemon && daemon->role == GpuDaemonRole::device_plugin &&
                         daemon->vendor == "nvidia.com" && !workload.pod.containers.empty();
  if (!is_plugin || needed.platform.empty()) return;
  if (!workload.pod.runtime_class_name.is_absent()) return;
  Finding finding = reporter.report(workload.pod.containers.front().image.node(),
                                    "NVIDIA's device plugin names no runtime class");
  finding.related(needed.runtime_class, fmt::format("a node of {}", needed.platform))
      .help("without the driver's libraries it finds no GPU, and none is advertised");
  offer(corpus, needed, workload, finding);
}

void check(const Corpus& corpus, Reporter& reporter) {
  check_absent_class(corpus, reporter);
  const NeededClass needed = find_needed_class(corpus);
  if (needed.name.empty()) return;
  for (const Workload& workload : corpus.workloads) {
    check_plugin(corpus, needed, workload, reporter);
    const ResourceEntry* request = find_nvidia_request(workload.pod);
    if (request == nullptr || !workload.pod.runtime_class_name.is_absent()) continue;
    Finding finding = reporter.report(
        request->name.node, "a pod that requests `{}` names no runtime class", request->name.value);
    if (!needed.platform.empty()) {
      finding.related(needed.runtime_class, fmt::format("a node of {}", needed.platform))
          .help(
              "{} gives pods NVIDIA's runtime only with the runtime class `nvidia`, unless it is "
              "made the default",
              needed.platform);
    } else if (needed.runtime_class) {
      finding.related(needed.runtime_class, "this class suggests that GPUs need it")
          .help("without it the container may start without the driver's libraries");
    } else {
      finding.help("this cluster is declared to need `{}` for GPUs", needed.name);
    }
    offer(corpus, needed, workload, finding);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "missing-runtime-class",
             .category = "resources",
             .summary = "A GPU pod names no runtime class on a cluster that needs one for GPUs.",
             .severity = Severity::warning,
             .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::missing_runtime_class
