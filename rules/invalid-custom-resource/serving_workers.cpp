#include "rules/invalid-custom-resource/serving_workers.h"

#include <string>
#include <string_view>

#include "compiler/ir/read.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

constexpr std::string_view effect = "KServe refuses a model on several machines (`workerSpec`)";

void check_environment(Reporter& reporter, Node container) {
  for (const Node variable : container.get("env").items()) {
    const std::string name = read_string(variable, "name").value_or("");
    const bool is_tensor = name == "TENSOR_PARALLEL_SIZE";
    if (!is_tensor && name != "PIPELINE_PARALLEL_SIZE") continue;
    reporter.report(variable.get("name"), "`{}` among the environment beside `workerSpec`", name)
        .help("{} with it: write `workerSpec.{}`", effect,
              is_tensor ? "tensorParallelSize" : "pipelineParallelSize");
  }
}

void check_workers(Reporter& reporter, Node workers) {
  const Node containers = workers.get("containers");
  if (containers.size() > 1) {
    reporter.report_key(containers, "{} containers of workers", containers.size())
        .help("{} with more than one", effect);
  }
  for (const std::string_view key : {"tensorParallelSize", "pipelineParallelSize"}) {
    const Field<std::int64_t> size = read_int(workers, key);
    if (!size.is_known() || size.value() > 0) continue;
    reporter.report(size.node(), "`{}: {}` is less than 1", key, size.value())
        .help("{} of such a size", effect);
  }
}

void check_service(Reporter& reporter, const KubernetesObject& service) {
  const Node predictor = service.node.at("spec", "predictor");
  const Node model = predictor.get("model");
  if (!model.is_mapping()) return;
  check_environment(reporter, model);
  const Field<std::string> storage = read_string(model, "storageUri");
  const std::string uri = storage.value_or("pvc://");
  if (!uri.starts_with("pvc://") && !uri.starts_with("oci://") &&
      uri.find("://") != std::string::npos) {
    reporter.report(storage.node(), "`{}` for a model on several machines", uri)
        .help("{} from there: put it onto a volume, `pvc://…`, or into an image, `oci://…`",
              effect);
  }
  const Node annotations = service.node.at("metadata", "annotations");
  const Field<std::string> scaler = read_string(annotations, "serving.kserve.io/autoscalerClass");
  if (!scaler.is_known() || scaler.value() == "none") return;
  reporter.report(scaler.node(), "autoscaler `{}` of a model on several machines", scaler.value())
      .help("{} with an autoscaler: write `none`", effect);
}

}  // namespace

void check_serving_workers(const Corpus& corpus, Reporter& reporter) {
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.api_version.value_or("").starts_with("serving.kserve.io/")) continue;
    const Node spec = object.node.get("spec");
    const bool is_service = object.kind.equals("InferenceService");
    const Node workers = (is_service ? spec.get("predictor") : spec).get("workerSpec");
    if (!workers.is_mapping()) continue;
    if (is_service) {
      check_service(reporter, object);
    } else if (object.kind.equals("ServingRuntime") ||
               object.kind.equals("ClusterServingRuntime")) {
      for (const Node container : spec.get("containers").items()) {
        const bool is_server = read_string(container, "name").equals("kserve-container");
        if (is_server) check_environment(reporter, container);
      }
    } else {
      continue;
    }
    check_workers(reporter, workers);
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
