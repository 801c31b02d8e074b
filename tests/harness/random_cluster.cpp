#include "tests/harness/random_cluster.h"

#include <cstddef>
#include <initializer_list>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpulint::test {
namespace {

using Words = std::vector<std::string>;

/// What GPU Feature Discovery says of a product.
struct Product {
  std::string_view label;
  std::string_view memory;
  std::string_view device;   ///< As GKE calls it.
  std::string_view profile;  ///< A MIG profile that it has; empty: none.
};
constexpr Product products[] = {
    {"NVIDIA-A100-SXM4-40GB", "40960", "nvidia-tesla-a100", "1g.5gb"},
    {"NVIDIA-H100-80GB-HBM3", "81559", "nvidia-h100-80gb", "1g.10gb"},
    {"NVIDIA-L4", "23034", "nvidia-l4", ""},
    {"Tesla-T4", "15360", "nvidia-tesla-t4", ""},
};

/// Labels that people set, beside those of NVIDIA.
enum class Flavour { plain, gke, eks, aks };

class ClusterMaker {
 public:
  explicit ClusterMaker(unsigned seed) : random_(seed) {}

  [[nodiscard]] RandomCluster make() {
    flavour_ = static_cast<Flavour>(below(4));
    RandomCluster cluster;
    if (flavour_ == Flavour::eks && one_in(2)) {
      cluster.nodes = node_groups();
    } else {
      for (int i = 1 + below(3); i > 0; --i) cluster.nodes += gpu_node(fmt::format("gpu-{}", i));
      for (int i = below(3); i > 0; --i) cluster.nodes += cpu_node(fmt::format("cpu-{}", i));
    }
    for (int i = 1 + below(4); i > 0; --i) cluster.workloads += workload(fmt::format("w{}", i));
    return cluster;
  }

 private:
  [[nodiscard]] int below(int bound) { return static_cast<int>(random_() % unsigned(bound)); }
  [[nodiscard]] bool one_in(int n) { return below(n) == 0; }
  [[nodiscard]] std::string pick(std::initializer_list<std::string_view> from) {
    return std::string(from.begin()[below(static_cast<int>(from.size()))]);
  }
  [[nodiscard]] std::string pick(const Words& from) {
    return from.at(static_cast<std::size_t>(below(static_cast<int>(from.size()))));
  }

  [[nodiscard]] static std::string pair(std::string_view key, std::string_view value) {
    return fmt::format("{}: \"{}\"", key, value);
  }

  [[nodiscard]] Words common_labels(const std::string& name) {
    Words labels{pair("kubernetes.io/hostname", name), pair("kubernetes.io/os", "linux"),
                 pair("kubernetes.io/arch", "amd64")};
    labels.push_back(pair("topology.kubernetes.io/zone", pick({"z1", "z2"})));
    if (one_in(2)) labels.push_back(pair("pool", pick({"a", "b", "gpu"})));
    return labels;
  }

  [[nodiscard]] std::string taints() {
    std::set<std::string> taints;
    for (int i = below(3); i > 0; --i) {
      taints.insert(fmt::format(
          "{{{}, effect: {}}}",
          pick({"key: nvidia.com/gpu, value: present", "key: nvidia.com/gpu, value: \"true\"",
                "key: nvidia.com/gpu", "key: dedicated, value: gpu", "key: sku, value: gpu",
                "key: team, value: a", "key: node.kubernetes.io/unreachable"}),
          pick({"NoSchedule", "NoSchedule", "NoExecute", "PreferNoSchedule"})));
    }
    return fmt::format("{}", fmt::join(taints, ", "));
  }

  [[nodiscard]] static std::string node(const std::string& name, const Words& labels,
                                        const std::string& spec, const Words& amounts) {
    return fmt::format(
        "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: {}\n  labels:\n    {}\n"
        "spec: {{{}}}\nstatus:\n  allocatable: {{{}}}\n",
        name, fmt::join(labels, "\n    "), spec, fmt::join(amounts, ", "));
  }

  [[nodiscard]] std::string cpu_node(const std::string& name) {
    return node(name, common_labels(name), one_in(4) ? "taints: [" + taints() + "]" : "",
                {pair("cpu", pick({"4", "64"})), "memory: 64Gi", pair("pods", "110")});
  }

  /// What the device plugin offers of `count` GPUs, and the labels that say so.
  void share(const Product& product, int count, Words& labels, Words& amounts) {
    std::string label(product.label);
    switch (product.profile.empty() ? below(3) : below(6)) {
      case 0:
        amounts.push_back(pair("nvidia.com/gpu", std::to_string(count * 4)));
        labels.push_back(pair("nvidia.com/gpu.replicas", "4"));
        label += "-SHARED";
        break;
      case 1:
        amounts.push_back(pair("nvidia.com/gpu.shared", std::to_string(count * 4)));
        labels.push_back(pair("nvidia.com/gpu.replicas", "4"));
        break;
      case 3:
        amounts.push_back(
            pair(fmt::format("nvidia.com/mig-{}", product.profile), std::to_string(count * 7)));
        labels.push_back(pair("nvidia.com/mig.strategy", "mixed"));
        labels.push_back(pair("nvidia.com/mig.config", fmt::format("all-{}", product.profile)));
        break;
      case 4:
        amounts.push_back(pair("nvidia.com/gpu", std::to_string(count * 7)));
        labels.push_back(pair("nvidia.com/mig.strategy", "single"));
        label += fmt::format("-MIG-{}", product.profile);
        break;
      default:
        if (one_in(6)) break;  // the device plugin has not run, or not well
        amounts.push_back(pair("nvidia.com/gpu", std::to_string(count)));
    }
    labels.push_back(pair("nvidia.com/gpu.product", label));
    labels.push_back(pair("nvidia.com/gpu.memory", product.memory));
    labels.push_back(pair("nvidia.com/gpu.count", std::to_string(count)));
  }

  [[nodiscard]] std::string gpu_node(const std::string& name) {
    Words labels = common_labels(name);
    Words amounts{pair("cpu", "16"), "memory: 64Gi", pair("pods", "110")};
    const Product& product = products[below(4)];
    const int count = 1 << below(4);
    if (one_in(10)) {
      amounts.push_back(pair("amd.com/gpu", std::to_string(count)));
    } else if (one_in(6)) {  // without GPU Feature Discovery
      amounts.push_back(pair("nvidia.com/gpu", std::to_string(count)));
    } else {
      labels.push_back(pair("nvidia.com/gpu.present", "true"));
      share(product, count, labels, amounts);
    }
    if (flavour_ == Flavour::gke) {
      labels.push_back(pair("cloud.google.com/gke-accelerator", product.device));
    }
    if (flavour_ == Flavour::eks) labels.push_back(pair("eks.amazonaws.com/nodegroup", "gpu"));
    if (flavour_ == Flavour::aks)
      labels.push_back(pair("kubernetes.azure.com/accelerator", "nvidia"));
    std::string spec = "taints: [" + taints() + "]";
    if (one_in(12)) spec += ", unschedulable: true";
    return node(name, labels, spec, amounts);
  }

  /// Nodes that are not made yet, as eksctl or Karpenter declare them.
  [[nodiscard]] std::string node_groups() {
    std::string groups;
    const bool is_eksctl = one_in(2);
    for (int i = 1 + below(3); i > 0; --i) {
      const std::string machine =
          pick({"p4d.24xlarge", "g5.xlarge", "g4dn.xlarge", "p5.48xlarge", "m5.xlarge"});
      const std::string labels = one_in(2) ? pair("pool", pick({"a", "b", "gpu"})) : "";
      if (is_eksctl) {
        groups += fmt::format("- {{name: g{}, instanceType: {}, labels: {{{}}}, taints: [{}]}}\n",
                              i, machine, labels, taints());
      } else {
        groups += fmt::format(
            "---\napiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {{name: g{}}}\n"
            "spec: {{template: {{metadata: {{labels: {{{}}}}}, spec: {{nodeClassRef: {{group: "
            "karpenter.k8s.aws, kind: EC2NodeClass, name: d}}, taints: [{}], requirements: [{{key: "
            "node.kubernetes.io/instance-type, operator: In, values: [{}]}}]}}}}}}\n",
            i, labels, taints(), machine);
      }
    }
    if (!is_eksctl) return groups;
    return "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n"
           "metadata: {name: c, region: us-east-1}\nmanagedNodeGroups:\n" +
           groups;
  }

  [[nodiscard]] std::string label_key() {
    Words keys{"nvidia.com/gpu.product",
               "nvidia.com/gpu.present",
               "nvidia.com/gpu.memory",
               "nvidia.com/gpu.count",
               "pool",
               "kubernetes.io/os",
               "accelerator",
               "nvidia.com/gpu.products",
               "topology.kubernetes.io/zone",
               "nvidia.com/mig.strategy"};
    if (flavour_ == Flavour::gke) {
      keys.insert(keys.end(), 3, "cloud.google.com/gke-accelerator");
    }
    if (flavour_ == Flavour::eks) keys.emplace_back("eks.amazonaws.com/nodegroup");
    if (flavour_ == Flavour::aks) keys.emplace_back("kubernetes.azure.com/accelerator");
    return pick(keys);
  }

  [[nodiscard]] std::string label_value(const std::string& key) {
    const Product& product = products[below(4)];
    if (one_in(12)) return pick({"none-such", "", "tru", "gpus"});
    if (key.ends_with("product") || key.ends_with("products")) {
      return std::string(product.label) + (one_in(4) ? "-SHARED" : "");
    }
    if (key.ends_with("memory")) return std::string(product.memory);
    if (key.ends_with("count")) return pick({"1", "4", "8"});
    if (key.ends_with("gke-accelerator")) return std::string(product.device);
    if (key.ends_with("strategy")) return pick({"mixed", "single"});
    if (key.ends_with("zone")) return pick({"z1", "z2"});
    if (key.ends_with("os")) return "linux";
    if (key.ends_with("present")) return "true";
    if (key == "kubernetes.azure.com/accelerator") return "nvidia";
    return pick({"a", "b", "gpu"});
  }

  [[nodiscard]] std::string expression() {
    const std::string key = label_key();
    const std::string op = pick({"In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"});
    if (op == "Exists" || op == "DoesNotExist") {
      return fmt::format("{{key: {}, operator: {}{}}}", key, op, one_in(15) ? ", values: [x]" : "");
    }
    if (op == "Gt" || op == "Lt") {
      return fmt::format("{{key: {}, operator: {}, values: [\"{}\"]}}",
                         pick({"nvidia.com/gpu.memory", "nvidia.com/gpu.count"}), op,
                         one_in(10) ? "40Gi" : pick({"2", "16000", "40000", "90000"}));
    }
    std::string values = pair("", label_value(key)).substr(2);
    if (one_in(3)) values += ", \"" + label_value(key) + "\"";
    return fmt::format("{{key: {}, operator: {}, values: [{}]}}", key, op, values);
  }

  [[nodiscard]] std::string affinity() {
    Words terms;
    for (int i = 1 + below(2); i > 0; --i) {
      Words expressions;
      for (int e = 1 + below(2); e > 0; --e) expressions.push_back(expression());
      std::string term = fmt::format("matchExpressions: [{}]", fmt::join(expressions, ", "));
      if (one_in(12)) {
        term = fmt::format("matchFields: [{{key: metadata.name, operator: In, values: [{}]}}]",
                           pick({"gpu-1", "gpu-2", "gpu-9", "cpu-1"}));
      }
      terms.push_back("{" + term + "}");
    }
    return fmt::format(
        "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: "
        "{{nodeSelectorTerms: [{}]}}}}}}",
        fmt::join(terms, ", "));
  }

  [[nodiscard]] std::string toleration() {
    const std::string key =
        pick({"nvidia.com/gpu", "nvidia.com/gpu", "dedicated", "sku", "team", "nvidia.com/gpus"});
    const std::string effect =
        one_in(2) ? fmt::format(", effect: {}", pick({"NoSchedule", "NoSchedule", "NoExecute"}))
                  : "";
    switch (below(8)) {
      case 0:
        return "{operator: Exists}";
      case 1:
        return fmt::format("{{key: {}, operator: Exists, value: present{}}}", key, effect);
      case 2:
      case 3:
        return fmt::format("{{key: {}, operator: {}, value: {}{}}}", key,
                           one_in(8) ? "Equals" : "Equal",
                           pick({"present", "\"true\"", "gpu", "a"}), effect);
      case 4:
        return fmt::format("{{key: {}{}}}", key, effect);
      default:
        return fmt::format("{{key: {}, operator: Exists{}}}", key, effect);
    }
  }

  [[nodiscard]] std::string amount() {
    return one_in(12) ? pick({"\"0.5\"", "-1", "0", "500m", "16"}) : pick({"1", "1", "2", "4"});
  }

  [[nodiscard]] std::string resources() {
    const std::string name =
        pick({"nvidia.com/gpu", "nvidia.com/gpu", "nvidia.com/gpu", "nvidia.com/gpu.shared",
              "nvidia.com/mig-1g.5gb", "nvidia.com/mig-1g.10gb", "amd.com/gpu"});
    Words limits;
    Words requests;
    if (one_in(2)) requests.push_back(pair("cpu", pick({"1", "8", "32"})));
    if (one_in(4)) requests.push_back(pair("memory", pick({"8Gi", "256Gi"})));
    if (!one_in(4)) {
      const std::string count = amount();
      if (!one_in(15)) limits.push_back(name + ": " + count);
      if (one_in(4)) requests.push_back(name + ": " + (one_in(8) ? amount() : count));
    }
    return fmt::format("resources: {{limits: {{{}}}, requests: {{{}}}}}", fmt::join(limits, ", "),
                       fmt::join(requests, ", "));
  }

  [[nodiscard]] std::string container(const std::string& name) {
    return fmt::format("{{name: {}, image: \"example.com/train:1\", {}}}", name, resources());
  }

  /// The pod's specification in flow style.
  [[nodiscard]] std::string pod(bool restarts) {
    Words parts;
    Words containers{container("main")};
    if (one_in(5)) containers.push_back(container("side"));
    if (one_in(10)) parts.push_back("initContainers: [" + container("first") + "]");
    parts.push_back(fmt::format("containers: [{}]", fmt::join(containers, ", ")));
    if (!restarts) parts.emplace_back("restartPolicy: Never");
    if (one_in(2)) {
      std::set<std::string> keys;
      Words labels;
      for (int i = 1 + below(2); i > 0; --i) {
        const std::string key = label_key();
        if (keys.insert(key).second) labels.push_back(pair(key, label_value(key)));
      }
      parts.push_back(fmt::format("nodeSelector: {{{}}}", fmt::join(labels, ", ")));
    }
    if (one_in(3)) parts.push_back(affinity());
    if (!one_in(4)) {
      Words tolerations;
      for (int i = 1 + below(2); i > 0; --i) tolerations.push_back(toleration());
      parts.push_back(fmt::format("tolerations: [{}]", fmt::join(tolerations, ", ")));
    }
    if (one_in(6)) parts.push_back("runtimeClassName: " + pick({"nvidia", "nvidia", "kata"}));
    if (one_in(40)) parts.emplace_back("schedulingGates: [{name: example.com/gate}]");
    if (one_in(40)) parts.emplace_back("nodeName: gpu-1");
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  [[nodiscard]] std::string workload(const std::string& name) {
    const std::string queue =
        one_in(30) ? ", labels: {kueue.x-k8s.io/queue-name: gpus}" : std::string{};
    const std::string head = fmt::format("metadata: {{name: {}{}}}\n", name, queue);
    const std::string labelled = fmt::format(
        "selector: {{matchLabels: {{app: {0}}}}}, template: {{metadata: {{labels: {{app: {0}}}}}, "
        "spec: {{{1}}}}}",
        name, pod(true));
    switch (below(5)) {
      case 0:
        return fmt::format("---\napiVersion: apps/v1\nkind: Deployment\n{}spec: {{{}}}\n", head,
                           labelled);
      case 1:
        return fmt::format(
            "---\napiVersion: batch/v1\nkind: Job\n{}spec: {{template: {{spec: {{{}}}}}}}\n", head,
            pod(false));
      case 2:
        return fmt::format("---\napiVersion: apps/v1\nkind: DaemonSet\n{}spec: {{{}}}\n", head,
                           labelled);
      default:
        return fmt::format("---\napiVersion: v1\nkind: Pod\n{}spec: {{{}}}\n", head, pod(false));
    }
  }

  std::mt19937 random_;
  Flavour flavour_ = Flavour::plain;
};

}  // namespace

RandomCluster make_random_cluster(unsigned seed) { return ClusterMaker(seed).make(); }

}  // namespace gpulint::test
