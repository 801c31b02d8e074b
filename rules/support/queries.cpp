#include "rules/support/queries.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::rules {
EmbeddedIndex index_embedded(const Corpus& corpus) {
  EmbeddedIndex index;
  for (const Document* document : corpus.documents) {
    if (document->host != nullptr) index[{document->host, document->host_node}] = document;
  }
  return index;
}

bool holds_word(const Corpus& corpus, const Document& document, std::string_view word) {
  if (!document.errors.empty() || !root(document)) return false;
  if (!document.origins.empty()) return true;  // its text is in several places
  const std::string_view text = corpus.sources->file(document.span).text(document.span);
  return has_text(text, word);
}

std::vector<const Document*> documents_with(const Corpus& corpus, std::string_view word) {
  std::vector<const Document*> found;
  std::ranges::copy_if(corpus.documents, std::back_inserter(found), [&](const Document* document) {
    return holds_word(corpus, *document, word);
  });
  return found;
}

bool mentions_gpu(std::string_view text) {
  const std::string lower = to_lower(text);
  return std::ranges::any_of(
      std::array<std::string_view, 6>{"gpu", "nvidia", "accelerator", "cuda", "tpu", "neuron"},
      [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

const ResourceEntry* find_gpu_request(const Container& container) {
  for (const auto* entries : {&container.resources.limits, &container.resources.requests}) {
    const auto at = std::ranges::find_if(
        *entries, [](const ResourceEntry& entry) { return is_gpu_resource(entry.name.value); });
    if (at != entries->end()) return &*at;
  }
  return nullptr;
}

std::string_view device_noun(std::string_view resource) {
  const std::string_view domain = resource.substr(0, resource.find('/'));
  if (resource == "google.com/tpu" || domain == "cloud-tpus.google.com") return "TPU";
  if (domain == "aws.amazon.com") return "Neuron device";
  if (domain == "habana.ai") return "Gaudi accelerator";
  if (domain == "npu.intel.com" || domain == "huawei.com") return "NPU";
  const bool is_gpu = domain == "nvidia.com" || domain == "amd.com" || domain == "gpu.intel.com" ||
                      resource.find("gpu") != std::string_view::npos;
  return is_gpu ? "GPU" : "accelerator";
}

bool concerns_gpus(const PodSpec& pod) {
  const auto speaks = [](const Field<std::string>& text) {
    return text.is_known() && mentions_gpu(text.value());
  };
  const auto term_speaks = [&](const SelectorTerm& term) {
    return std::ranges::any_of(term.expressions, speaks, &SelectorRequirement::key);
  };
  return requests_gpu(pod) || std::ranges::any_of(pod.tolerations, speaks, &Toleration::key) ||
         std::ranges::any_of(
             pod.node_selector,
             [](const LabelEntry& label) { return mentions_gpu(label.key.value); }) ||
         std::ranges::any_of(pod.node_affinity.required, term_speaks) ||
         std::ranges::any_of(pod.node_affinity.preferred, term_speaks);
}

bool is_node_agent(const Workload& workload) { return workload.kind.equals("DaemonSet"); }

std::string_view read_type(Node scalar) {
  const auto read = read_kubernetes_scalar(scalar);
  if (!read) return "number";
  switch (read->type) {
    case KubernetesScalar::Type::null:
      return "null";
    case KubernetesScalar::Type::boolean:
      return "boolean";
    case KubernetesScalar::Type::integer:
    case KubernetesScalar::Type::floating:
      return "number";
    case KubernetesScalar::Type::string:
      return "string";
  }
  return "string";
}

Node written_value(Node mapping, std::string_view key) {
  for (const Node::Entry& entry : mapping.fields()) {
    if (entry.key.text() == key) return entry.key.value();
  }
  return {};
}

bool is_of_whole_document(Span finding, Node node) {
  const Document* const document = node.document();
  return document != nullptr && node.parent() && finding.contains(root(*document).span());
}

bool makes_gpu_pods(const Corpus& corpus, Node object) {
  return std::ranges::any_of(corpus.workloads, [&](const Workload& workload) {
    return workload.object == object && requests_gpu(workload.pod);
  });
}

}  // namespace gpulint::rules
