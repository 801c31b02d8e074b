#include "tests/unit/backends/example_run.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

namespace gpulint::test {
namespace {

constexpr RuleInfo untolerated_taint{
    .id = "untolerated-taint",
    .category = "placement",
    .summary = "A workload would fit a GPU node but for a taint it does not tolerate.",
    .severity = Severity::error,
    .fix = FixAvailability::unsafe};
constexpr RuleInfo legacy_node_label{
    .id = "legacy-node-label",
    .category = "deprecated",
    .summary = "A node label that Kubernetes or the provider replaced.",
    .severity = Severity::warning,
    .fix = FixAvailability::safe};
constexpr RuleInfo unrendered_template{.id = "unrendered-template",
                                       .category = "reading",
                                       .summary = "The file is a Helm template, not its output.",
                                       .severity = Severity::info};
constexpr RuleInfo fractional_gpu{.id = "fractional-gpu",
                                  .category = "resources",
                                  .summary = "A GPU count that is not a whole number."};

constexpr std::string_view untolerated_taint_text =
    R"(A workload would fit a GPU node but for a taint it does not tolerate.

## Why it matters

The scheduler keeps the pod `Pending`. See [taints](https://kubernetes.io/docs/) for **all** of it;
a second line of the paragraph.

## Bad

```yaml
tolerations:
- key: nvidia.com/gpu  # <- wrong effect & value
```

## Options

| name | default |
|---|---|
| `strict` | false |

## References

- Kubernetes 1.31, taints
  and tolerations
- NVIDIA GPU operator
)";

constexpr std::string_view values =
    R"(configmap:
  k8s:
    plugins:
      k8s:
        resource-tolerations:
          nvidia.com/gpu:
          - key: nvidia.com/gpu
            operator: Equal
            value: gpu
            effect: NoSchedule
        default-node-selector:
          beta.kubernetes.io/os: linux
tasks:
- limits: {gpu: 0.5}
- limits: {gpu: 1.5}
)";

constexpr std::string_view nodes =
    R"(apiVersion: v1
kind: Node
metadata:
  name: gpu-1
spec:
  taints:
  - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
)";

[[nodiscard]] std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

Span Example::find(FileId file, std::string_view text, int n) const {
  const std::string_view all = sources.file(file).text();
  std::size_t at = all.find(text);
  while (--n > 0) at = all.find(text, at + 1);
  REQUIRE(at != std::string_view::npos);
  return {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + text.size())};
}

Diagnostic& Example::report(const RuleInfo& rule, Span span, std::string message) {
  Diagnostic& diagnostic = diagnostics.emplace_back();
  diagnostic.rule = &rule;
  diagnostic.severity = rule.severity;
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  return diagnostic;
}

Run Example::run() {
  sort_and_merge(diagnostics);
  return Run{.sources = sources,
             .diagnostics = diagnostics,
             .rules = rules,
             .summary = summarize(diagnostics, sources.size(), sources.size()),
             .version = "0.1.0",
             .homepage = "https://example.com/gpulint",
             .presentation = {},
             .placements = placements,
             .pods = pods};
}

Example ordinary_example() {
  Example example;
  example.rules = {{&fractional_gpu, "A GPU count that is not a whole number.\n"},
                   {&legacy_node_label, "A node label that Kubernetes or the provider replaced.\n"},
                   {&untolerated_taint, untolerated_taint_text}};
  const FileId node_file = example.add("cluster/nodes.yaml", std::string(nodes));
  const FileId template_file = example.add(
      "templates/a b.yaml", "# Ünïcode\n{{- if .Values.gpu }}\nkind: Pod\n{{- end }}\n");
  const FileId value_file = example.add("values.yaml", std::string(values));

  Diagnostic& taint = example.report(
      untolerated_taint, example.find(value_file, "nvidia.com/gpu:"),
      "no toleration of `nvidia.com/gpu` matches the taint `nvidia.com/gpu=present:NoSchedule`");
  taint.path = "configmap.k8s.plugins.k8s.resource-tolerations.nvidia.com/gpu";
  taint.related = {
      {example.find(node_file, "{key: nvidia.com/gpu, value: present, effect: NoSchedule}"),
       "the taint of node `gpu-1`"},
      {example.find(value_file, "value: gpu"), "this value differs"}};
  taint.help = "tolerate any value with `operator: Exists`";
  taint.fix = Fix{Safety::unsafe,
                  "set the value to `present`",
                  {{example.find(value_file, "value: gpu"), "value: present"}}};

  Diagnostic& label =
      example.report(legacy_node_label, example.find(value_file, "beta.kubernetes.io/os"),
                     "`beta.kubernetes.io/os` was replaced by `kubernetes.io/os`");
  label.path = "configmap.k8s.plugins.k8s.default-node-selector";
  label.fix = Fix{Safety::safe,
                  "rename to `kubernetes.io/os`",
                  {{example.find(value_file, "beta.kubernetes.io/os"), "kubernetes.io/os"}}};

  Span all = example.sources.file(template_file).whole();
  all.begin = example.find(template_file, "{{- if").begin;
  example.report(unrendered_template, all, "this is a Helm template; render it first");

  example.report(fractional_gpu, example.find(value_file, "0.5"), "`gpu: 0.5` is no whole number")
      .path = "tasks[0].limits.gpu";
  example.report(fractional_gpu, example.find(value_file, "1.5"), "`gpu: 1.5` is no whole number")
      .path = "tasks[1].limits.gpu";
  return example;
}

Example cluster_example() {
  Example example = ordinary_example();
  PlacementMatrix& matrix = example.placements.emplace_back();
  matrix.nodes = {"gpu-1", "pool a100-mig (Karpenter)", "cpu-1"};
  const auto refused = [](std::string reason) {
    return PlacementCell{Verdict::refused, {std::move(reason)}};
  };
  matrix.members = {"gpu-1, gpu-2", "", ""};
  matrix.tally = {.all = 3, .fitting = 1, .open = 1};
  matrix.rows = {
      {{{"Pod/default/train"}},
       {{Verdict::fits, {}},
        {Verdict::open, {"the pool does not say how many GPUs its nodes have"}},
        {Verdict::refused,
         {"Insufficient nvidia.com/gpu", "node(s) didn't match Pod's node affinity/selector"},
         ReasonGroup::label,
         "label pool",
         "Insufficient nvidia.com/gpu (needs 1, offers none); didn't match (needs `pool=a`)",
         {example.find(2, "nvidia.com/gpu:")}}},
       Verdict::fits},
      {{{"task preprocess <&>"}},
       {refused("node(s) had untolerated taint {nvidia.com/gpu: present}"),
        refused("node(s) had untolerated taint {nvidia.com/gpu: present}"),
        {Verdict::fits, {}}}}};
  example.pods = {
      {.task = "train",
       .flyte_version = "1",
       .error = "",
       .yaml = "tolerations:\n- key: nvidia.com/gpu  # default-tolerations, <v>.yaml:2:7\n"
               "  operator: Exists\n"},
      {.task = "eval",
       .flyte_version = "2",
       .error = "unknown accelerator `nvidia-<b>h100`",
       .yaml = ""}};
  return example;
}

Example hostile_example() {
  static constexpr RuleInfo policy{.id = "<policy>|\"x\"",
                                   .category = "policy",
                                   .summary = "]]> & </script><script>alert(1)",
                                   .severity = Severity::warning};
  Example example;
  const FileId file = example.add(
      "dir/%41:a,b\n::error::<img src=x>\x1b[31m\xFF.yaml",
      "key: \"</script><script>alert('1')</script> ]]> \x1b[2J\xE2\x80\xAE evil\x01\xFF\"\n"
      "\t宽字 e\xCC\x81: \xF0\x9F\x98\x80 value\r\n"
      "last: [](javascript:alert(1))");
  example.rules = {
      {&policy, "]]> & </script><script>alert(1)</script>\n\n[x](javascript:alert(1))\n"}};
  Diagnostic& script =
      example.report(policy, example.find(file, "</script><script>alert('1')</script> ]]> \x1b[2J"),
                     "`</script>` [a](1) [b](https://evil.example) | ]]> "
                     "%0A::error::x\n::stop-commands::y\x1b[2J\xFF");
  script.path = "key[\"<b>\"]";
  script.help = "use `&amp;` & \"quotes\" 'here' ##[add-mask]x";
  script.related = {{example.find(file, "value"), "a ] label [ with \\ and <i>"}};
  script.fix =
      Fix{Safety::unsafe, "<u>title</u>", {{example.find(file, "alert"), "</script>\x02"}}};
  example.report(policy, example.find(file, "value"), "after wide, combining and tab");
  example.report(policy, example.find(file, "alert(1))"), "on the last line without a break");
  PlacementMatrix& matrix = example.placements.emplace_back();
  matrix.cluster = "<script>";
  matrix.nodes = {"\"><script>alert(1)</script>|"};
  matrix.rows = {
      {{{"<b>\n| x"}}, {{Verdict::refused, {"'\" onmouseover=alert(1) <i>", "\x1b[31m`code`"}}}}};
  example.pods = {{.task = "</summary><script>",
                   .flyte_version = "1",
                   .error = "`</p>`",
                   .yaml = "</pre><script>alert(1)</script>  # <key>\n"}};
  return example;
}

Example clean_example() {
  Example example;
  example.add("values.yaml", "a: 1\n");
  return example;
}

std::string emit(std::string_view format, const Run& run) {
  const Backend* backend = find_backend(format);
  REQUIRE(backend != nullptr);
  std::ostringstream out;
  backend->emit(run, out);
  return out.str();
}

void check_golden(std::string_view name, const std::string& actual) {
  const std::string path = std::string(GPULINT_SOURCE_DIR "/testdata/backends/").append(name);
  const char* update = std::getenv("GPULINT_UPDATE");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
  }
  INFO("golden file: " << path << " (GPULINT_UPDATE=1 rewrites it)");
  CHECK(read_file(path) == actual);
}

}  // namespace gpulint::test
