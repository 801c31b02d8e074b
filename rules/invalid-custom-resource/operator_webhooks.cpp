#include "rules/invalid-custom-resource/operator_webhooks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/support/queries.h"
#include "rules/support/typos.h"

namespace gpulint::rules::invalid_custom_resource {
namespace {

constexpr std::string_view kserve_refuses = "Otherwise KServe rejects the object";

void check_environment(Reporter& reporter, Node container) {
  for (const Node variable : container.get("env").items()) {
    const std::string name = read_string(variable, "name").value_or("");
    const bool is_tensor = name == "TENSOR_PARALLEL_SIZE";
    if (!is_tensor && name != "PIPELINE_PARALLEL_SIZE") continue;
    reporter
        .report(variable.get("name"),
                "the environment variable `{}` is not supported with `workerSpec`", name)
        .help("use `workerSpec.{}` instead of the variable. {}",
              is_tensor ? "tensorParallelSize" : "pipelineParallelSize", kserve_refuses);
  }
}

void check_workers(Reporter& reporter, Node workers) {
  const Node containers = workers.get("containers");
  if (containers.size() > 1) {
    reporter
        .report_key(containers, "`workerSpec` has {} containers, but KServe allows only one",
                    containers.size())
        .help("use one container. {}", kserve_refuses);
  }
  for (const std::string_view key : {"tensorParallelSize", "pipelineParallelSize"}) {
    const Field<std::int64_t> size = read_int(workers, key);
    if (!size.is_known() || size.value() > 0) continue;
    reporter.report(size.node(), "`{}: {}` is less than 1", key, size.value())
        .help("write 1 or a larger number. {}", kserve_refuses);
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
    reporter.report(storage.node(), "storage `{}` is not supported with `workerSpec`", uri)
        .help("use a volume (`pvc://…`), or an image (`oci://…`). {}", kserve_refuses);
  }
  const Node annotations = service.node.at("metadata", "annotations");
  const Field<std::string> scaler = read_string(annotations, "serving.kserve.io/autoscalerClass");
  if (!scaler.is_known() || scaler.value() == "none") return;
  reporter
      .report(scaler.node(), "autoscaler `{}` is not supported with `workerSpec`", scaler.value())
      .help("write `none`. {}", kserve_refuses);
}

/// Reports what KServe rejects in models on several machines (`workerSpec` of InferenceServices and
/// ServingRuntimes): sizes in the environment, storage other than a volume or an image, several
/// worker containers, an autoscaler (kserve v0.15.2, v0.16.0 and aaac4e294dae,
/// pkg/apis/serving/v1beta1/inference_service_validation.go, pkg/webhook/admission/servingruntime).
void check_serving_workers(const Corpus&, const KubernetesObject& object, Reporter& reporter) {
  const Node spec = object.node.get("spec");
  const bool is_service = object.kind.equals("InferenceService");
  const Node workers = (is_service ? spec.get("predictor") : spec).get("workerSpec");
  if (!workers.is_mapping()) return;
  if (is_service) check_service(reporter, object);
  for (const Node container : spec.get("containers").items()) {
    const bool is_server = read_string(container, "name").equals("kserve-container");
    if (is_server && !is_service) check_environment(reporter, container);
  }
  check_workers(reporter, workers);
}

struct JobKind {
  std::string_view kind;
  std::string_view replicas;   ///< Below `spec`.
  std::string_view container;  ///< The name that one container of each replica must have.
};

constexpr auto job_kinds = std::to_array<JobKind>({{"PyTorchJob", "pytorchReplicaSpecs", "pytorch"},
                                                   {"TFJob", "tfReplicaSpecs", "tensorflow"},
                                                   {"XGBoostJob", "xgbReplicaSpecs", "xgboost"},
                                                   {"PaddleJob", "paddleReplicaSpecs", "paddle"},
                                                   {"JAXJob", "jaxReplicaSpecs", "jax"}});

/// A PyTorchJob has one Master, and no replica type without pods.
void check_count(const Node::Entry& replica, Reporter& reporter) {
  const bool is_master = replica.key.text() == "Master";
  const Field<std::int64_t> count = read_int(replica.value, "replicas");
  if (!count.is_known() || count.value() == 1 || (!is_master && count.value() > 1)) return;
  reporter
      .report(count.node(), "`{}` of a PyTorchJob must have {}1 replica, not {}",
              replica.key.text(), is_master ? "" : "at least ", count.value())
      .help("{}. Otherwise the training operator rejects the job",
            is_master ? "write `replicas: 1`, and add pods to `Worker`"
                      : "write `replicas: 1` or more, or remove this replica type");
}

void check_container_name(const Corpus& corpus, const JobKind& job, Node replica,
                          Reporter& reporter) {
  const std::vector<Node> containers = replica.at("template", "spec", "containers").items();
  if (containers.empty()) return;
  const bool may_have_it = std::ranges::any_of(containers, [&](Node container) {
    const Field<std::string> name = read_string(container, "name");
    return container.is_opaque() || !name.is_known() || name.value() == job.container;
  });
  if (may_have_it) return;
  const Node name = containers.front().get("name");
  Finding finding =
      reporter.report(name, "no container of this replica has the name `{}`", job.container);
  std::vector<Edit> edits;
  if (containers.size() == 1) {
    edits = replace_string(*corpus.sources, name, std::string(job.container));
  }
  if (edits.empty()) {
    finding.help("name one container `{}`. Otherwise the training operator rejects the {}",
                 job.container, job.kind);
    return;
  }
  finding.help("the training operator rejects the {}", job.kind)
      .fix(Safety::unsafe, fmt::format("rename the container to `{}`", job.container),
           std::move(edits));
}

/// A number of processes, or `auto`. A string since v1.7.
void check_processes(const Corpus& corpus, Node spec, Reporter& reporter) {
  const Field<std::int64_t> processes = read_int(spec, "nprocPerNode");
  if (!processes.is_known()) return;
  reporter
      .report(processes.node(), "`nprocPerNode` must be a string, but YAML reads `{}` as a number",
              processes.value())
      .help("{}", rejects)
      .fix(Safety::safe, "quote the value", quote(*corpus.sources, processes.node()));
}

/// Reports GPU jobs of `kubeflow.org/v1` with a replica that lacks the container name that the
/// training operator looks for, and numbers of replicas that it rejects. Facts: kubeflow/trainer
/// v1.9, pkg/webhooks.
void check_training_job(const Corpus& corpus, const KubernetesObject& object, Reporter& reporter) {
  const JobKind& job = *std::ranges::find(job_kinds, object.kind.value(), &JobKind::kind);
  const Node spec = object.node.get("spec");
  if (object.kind.equals("PyTorchJob")) check_processes(corpus, spec, reporter);
  for (const Node::Entry& replica : spec.get(job.replicas).fields()) {
    check_container_name(corpus, job, replica.value, reporter);
    if (object.kind.equals("PyTorchJob")) check_count(replica, reporter);
  }
}

void check_least(Reporter& reporter, Node owner, std::int64_t replicas) {
  const Field<std::int64_t> least = read_int(owner, "minAvailable");
  if (!least.is_known() || least.value() <= replicas) return;
  reporter
      .report(least.node(), "`minAvailable` is {}, but the number of replicas is only {}",
              least.value(), replicas)
      .help("lower `minAvailable` to {}, or raise `replicas`. Otherwise Volcano rejects the Job",
            replicas);
}

/// Reports `minAvailable` above the number of replicas, in Volcano's GPU Jobs (volcano-sh/volcano
/// ed72c7c815a9, pkg/webhooks/admission/jobs/validate/admit_job.go).
void check_volcano_job(const Corpus&, const KubernetesObject& object, Reporter& reporter) {
  const Node spec = object.node.get("spec");
  std::int64_t all = 0;
  for (const Node task : spec.get("tasks").items()) {
    const Field<std::int64_t> replicas = read_int(task, "replicas");
    if (!replicas.is_known() || replicas.value() < 0 || replicas.value() > 1'000'000) return;
    all += replicas.value();
    check_least(reporter, task, replicas.value());
  }
  check_least(reporter, spec, all);
}

void check_word(const Corpus& corpus, Reporter& reporter, Node owner, std::string_view key,
                const std::vector<std::string_view>& words) {
  const Field<std::string> word = read_string(owner, key);
  if (!word.is_known() || is_listed(words, word.value())) return;
  report_word(corpus, reporter, word.node(), key, words);
}

/// The leader is one of the pods of a group, unless the policy excludes it.
void check_subgroups(Reporter& reporter, Node settings) {
  const Node policy = settings.get("subGroupPolicy");
  const Field<std::int64_t> part = read_int(policy, "subGroupSize");
  const Field<std::int64_t> size = read_int(settings, "size");
  if (!part.is_known() || !(size.is_known() || size.is_absent())) return;
  const Field<std::string> type = read_string(policy, "subGroupPolicyType");
  const std::int64_t pods = size.value_or(1);
  const bool is_without_leader = type.equals("LeaderExcluded");
  const auto divides = [&](std::int64_t all) {
    return part.value() > 0 && all % part.value() == 0;
  };
  const bool is_taken = divides(pods - 1) || (!is_without_leader && divides(pods));
  if (is_taken && part.value() <= pods) return;
  Finding finding = reporter.report(
      part.node(), "{} cannot be split into subgroups of size {}",
      is_without_leader ? fmt::format("a group without its leader has size {} and", pods - 1)
                        : fmt::format("a group of size {}", pods),
      part.value());
  if (size.is_known()) finding.related(size.node(), "the size of a group, including the leader");
  finding.help(
      "set `subGroupSize` to a divisor of {}. Otherwise LeaderWorkerSet's webhook rejects the "
      "object",
      is_without_leader ? "`size - 1`" : "`size` or of `size - 1`");
}

/// Reports why LeaderWorkerSets of GPU pods are rejected: groups that `subGroupSize` does not
/// divide, and invalid words (kubernetes-sigs/lws v0.3.0 to 060ab4da17ee,
/// pkg/webhooks/leaderworkerset_webhook.go, api/leaderworkerset/v1).
void check_worker_set(const Corpus& corpus, const KubernetesObject& object, Reporter& reporter) {
  const Node spec = object.node.get("spec");
  const Node settings = spec.get("leaderWorkerTemplate");
  check_subgroups(reporter, settings);
  check_word(corpus, reporter, spec, "startupPolicy", {"LeaderCreated", "LeaderReady"});
  check_word(corpus, reporter, settings, "restartPolicy",
             {"Default", "RecreateGroupOnPodRestart", "RecreateGroupAfterStart", "None"});
  check_word(corpus, reporter, settings.get("subGroupPolicy"), "subGroupPolicyType",
             {"LeaderWorker", "LeaderExcluded"});
  check_word(corpus, reporter, spec.get("networkConfig"), "subdomainPolicy",
             {"Shared", "UniquePerReplica"});
}

void check_field(Reporter& reporter, Node owner, std::string_view what) {
  const Field<std::string> name = read_string(owner, "runtimeClassName");
  if (!name.is_known() || name.value().empty()) return;
  reporter.report_key(name.node(), "`runtimeClassName` is not a field of {}", what)
      .severity(Severity::warning)
      .help(
          "write `podSpecPatch: '{{\"runtimeClassName\": \"{}\"}}'` instead. Otherwise Argo "
          "ignores `runtimeClassName`",
          name.value());
}

/// Reports `runtimeClassName` of Argo's workflows and their templates, which have no such field
/// (argoproj/argo-workflows f016ad89eb26, docs/fields.md; #7519). Their GPU pods get no runtime
/// class.
void check_workflow(const Corpus&, const KubernetesObject& object, Reporter& reporter) {
  const Node own = object.node.get("spec");
  const Node spec = object.kind.equals("CronWorkflow") ? own.get("workflowSpec") : own;
  check_field(reporter, spec, "a workflow");
  for (const Node step : spec.get("templates").items()) {
    check_field(reporter, step, "a workflow's template");
  }
}

constexpr std::string_view azure = "standard_";

/// The only machine whose name differs by one letter; empty if there is none or several.
[[nodiscard]] std::string_view meant_machine(std::string_view type) {
  std::vector<std::string_view> near;
  for (const Machine& machine : all_machines()) {
    if (is_slip_of(type, machine.type)) near.push_back(machine.type);
  }
  return near.size() == 1 ? near.front() : std::string_view{};
}

void check_machine(Reporter& reporter, const KubernetesObject& workspace, Node place,
                   const std::string& written) {
  const std::string type = to_lower(written);
  if (!type.starts_with(azure)) return;
  const std::string_view series = std::string_view(type).substr(azure.size());
  if (!series.starts_with('n') && !series.starts_with('d')) {
    reporter.report(place, "KAITO does not support machine type `{}`", written)
        .help("use a machine type of Azure's N series, such as `Standard_NC24ads_A100_v4`")
        .severity(Severity::warning);
    return;
  }
  const Machine* const machine = find_machine(type);
  const std::string_view meant = machine == nullptr ? meant_machine(type) : std::string_view{};
  if (!meant.empty()) {
    reporter.report(place, "unknown machine type `{}`", written)
        .help(
            "write `{}`, or another known machine type. Otherwise the Workspace never receives "
            "nodes",
            meant)
        .severity(Severity::warning);
  }
  const Node inference = workspace.node.at("inference", "preset");
  const Node preset = inference ? inference : workspace.node.at("tuning", "preset");
  if (!preset || !is_machine_without_accelerators(written)) return;
  reporter
      .report(place, "machine type `{}` has no GPU, but the model of the Workspace needs one",
              written)
      .related(preset.key(), "this model of the Workspace needs a GPU")
      .help(
          "use a machine type of Azure's N series. Otherwise the pods stay Pending with "
          "`Insufficient nvidia.com/gpu`")
      .severity(Severity::warning);
}

/// Reports `instanceType` of KAITO's Workspaces: Azure machines of unsupported series, machines
/// without a GPU for a preset, and names that differ by one letter from a machine (Azure/kaito
/// 9dd17a360b1c, api/v1alpha1/workspace_validation.go; kaito-project/kaito#242).
void check_workspace(const Corpus&, const KubernetesObject& object, Reporter& reporter) {
  const Field<std::string> type = read_string(object.node.get("resource"), "instanceType");
  if (type.is_known()) check_machine(reporter, object, type.node(), type.value());
}

/// Checks of operators beyond the definition: what their own code rejects or ignores.
struct Webhook {
  std::string_view version;  ///< Or a group with its `/`: any version.
  std::vector<std::string_view> kinds;
  bool is_of_gpus;  ///< Only of objects whose pods request GPUs.
  void (*check)(const Corpus& corpus, const KubernetesObject& object, Reporter& reporter);

  [[nodiscard]] bool is_of(const KubernetesObject& object) const {
    const std::string written = object.api_version.value_or("");
    const bool is_version =
        version.ends_with('/') ? written.starts_with(version) : written == version;
    return is_version && is_listed(kinds, object.kind.value_or(""));
  }
};

}  // namespace

void report_word(const Corpus& corpus, Reporter& reporter, Node at, std::string_view path,
                 std::span<const std::string_view> words) {
  Finding finding = reporter.report(at, "`{}` is not a valid value of `{}`", at.text(), path);
  finding.help("{} `{}`. Otherwise {}", words.size() == 1 ? "write" : "use one of",
               fmt::join(words, "`, `"), rejects);
  const auto meant = nearest(at.text(), words);
  const bool is_typo = at.text().size() > 3;  // `gpu` is no typo of `cpu`
  if (!meant || !is_typo) return;
  finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
              replace_string(*corpus.sources, at, *meant));
}

void check_webhooks(const Corpus& corpus, Reporter& reporter) {
  const Webhook webhooks[] = {
      {"batch.volcano.sh/", {"Job"}, true, check_volcano_job},
      {"kubeflow.org/v1",
       {"PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob"},
       true,
       check_training_job},
      {"leaderworkerset.x-k8s.io/v1", {"LeaderWorkerSet"}, true, check_worker_set},
      {"serving.kserve.io/",
       {"InferenceService", "ServingRuntime", "ClusterServingRuntime"},
       false,
       check_serving_workers},
      {"kaito.sh/", {"Workspace"}, false, check_workspace},
      {"argoproj.io/",
       {"ClusterWorkflowTemplate", "CronWorkflow", "Workflow", "WorkflowTemplate"},
       true,
       check_workflow}};
  for (const KubernetesObject& object : corpus.objects) {
    for (const Webhook& webhook : webhooks) {
      if (!webhook.is_of(object)) continue;
      if (webhook.is_of_gpus && !makes_gpu_pods(corpus, object.node)) continue;
      webhook.check(corpus, object, reporter);
    }
  }
}

}  // namespace gpulint::rules::invalid_custom_resource
