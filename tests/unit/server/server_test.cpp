#include "compiler/server/server.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace gpulint;
using Json = nlohmann::json;

namespace {

constexpr const char* bad_pod = R"(apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: train:1.0
    resources:
      limits: {nvidia.com/gpu: 2}
      limits: {nvidia.com/gpu: 1}
)";

/// A server over files in memory, in the folder /w.
class Editor {
 public:
  explicit Editor(const Overlay& files, const Json& capabilities = Json::object())
      : files_(files), server_(files_, {"1.0", "https://example.test"}) {
    ask("initialize", {{"capabilities", capabilities}, {"rootUri", "file:///w"}});
    tell("initialized", Json::object());
  }

  void tell(const std::string& method, const Json& params) {
    take(server_.receive(Json{{"method", method}, {"params", params}}.dump()));
  }
  void ask(const std::string& method, const Json& params) {
    take(server_.receive(Json{{"id", ++id_}, {"method", method}, {"params", params}}.dump()));
  }
  void open(const std::string& uri, const std::string& text, const std::string& language = "yaml") {
    tell("textDocument/didOpen",
         {{"textDocument",
           {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}}}});
  }
  void send(const std::string& body) { take(server_.receive(body)); }
  void settle() { take(server_.settle()); }

  /// The messages since the last call.
  [[nodiscard]] std::vector<Json> received() { return std::exchange(received_, {}); }
  /// The codes in the last list for a file; nullopt if there was none.
  [[nodiscard]] std::optional<std::vector<std::string>> published(const std::string& uri) const {
    std::optional<std::vector<std::string>> codes;
    for (const Json& message : received_) {
      if (message.value("method", "") != "textDocument/publishDiagnostics") continue;
      if (message["params"]["uri"] != uri) continue;
      codes.emplace();
      for (const Json& each : message["params"]["diagnostics"]) codes->push_back(each["code"]);
    }
    return codes;
  }
  [[nodiscard]] const Json& last() const { return received_.back(); }
  [[nodiscard]] const server::Server& server() const { return server_; }

 private:
  void take(const server::Messages& messages) {
    for (const std::string& message : messages) received_.push_back(Json::parse(message));
  }

  MemoryFiles files_;
  server::Server server_;
  std::vector<Json> received_;
  int id_ = 0;
};

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("A server checks the folder at once, and a text when it is opened") {
  Editor editor({{"/w/a.yaml", std::string(bad_pod)}});
  editor.settle();
  CHECK(editor.published("file:///w/a.yaml") == Codes{"duplicate-key"});
  CHECK(editor.received().front()["result"]["capabilities"]["positionEncoding"] == "utf-16");
  editor.open("file:///w/new.yaml", bad_pod);
  editor.settle();
  CHECK(editor.published("file:///w/new.yaml") == Codes{"duplicate-key"});
  CHECK_FALSE(editor.published("file:///w/a.yaml"));  // nothing new
}

TEST_CASE("A text outside of the folder, and one that is no file, are checked alone") {
  Editor editor({{"/w/a.yaml", std::string("a: 1\n")}, {"/out/b.yaml", std::string(bad_pod)}});
  editor.open("file:///out/b.yaml", bad_pod);
  editor.open("untitled:Untitled-1", bad_pod);
  editor.settle();
  CHECK(editor.published("file:///out/b.yaml") == Codes{"duplicate-key"});
  CHECK(editor.published("untitled:Untitled-1") == Codes{"duplicate-key"});
  (void)editor.received();
  editor.tell("textDocument/didClose", {{"textDocument", {{"uri", "untitled:Untitled-1"}}}});
  editor.settle();
  CHECK(editor.published("untitled:Untitled-1") == Codes{});
}

TEST_CASE("Nothing that a client sends is too odd") {
  Editor editor({});
  (void)editor.received();
  const auto code_after = [&](const std::string& body) {
    editor.send(body);
    const std::vector<Json> messages = editor.received();
    return messages.empty() ? 0 : messages.back()["error"]["code"].get<int>();
  };
  CHECK(code_after("{") == -32700);
  CHECK(code_after("[]") == -32600);
  CHECK(code_after("null") == -32600);
  CHECK(code_after(R"({"id":{},"method":"x"})") == -32600);
  CHECK(code_after(R"({"id":9,"method":"no/such"})") == -32601);
  CHECK(code_after(R"({"id":9,"method":"initialize"})") == -32600);
  CHECK(code_after(R"({"id":"watch","result":null})") == 0);
  CHECK(code_after(R"({"method":"no/such"})") == 0);
  for (const char* const method :
       {"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
        "workspace/didChangeWorkspaceFolders", "$/cancelRequest", "workspace/didChangeWatchedFiles",
        "textDocument/hover", "textDocument/definition", "textDocument/codeAction",
        "codeAction/resolve", "textDocument/codeLens", "textDocument/documentSymbol",
        "textDocument/completion", "textDocument/documentLink", "textDocument/diagnostic",
        "textDocument/inlayHint", "workspace/textDocumentContent"}) {
    for (const char* const params :
         {"null", "[]", "{}", R"({"textDocument":7})", R"({"textDocument":{"uri":[]}})",
          R"({"textDocument":{"uri":"file:///w/x"},"contentChanges":{},"event":{"added":7}})",
          R"({"textDocument":{"uri":"gpulint-pod:"},"uri":"gpulint-pod:///w/x.yaml"})"}) {
      editor.send(std::string(R"({"id":1,"method":")") + method + R"(","params":)" + params + "}");
      editor.send(std::string(R"({"method":")") + method + R"(","params":)" + params + "}");
      editor.settle();
    }
  }
  CHECK_FALSE(editor.server().has_exited());
}

TEST_CASE("A cancelled request is answered once, and one about an old text is refused") {
  Editor editor({});
  editor.open("file:///w/a.yaml", bad_pod);
  const Json at = {{"textDocument", {{"uri", "file:///w/a.yaml"}}},
                   {"position", {{"line", 9}, {"character", 7}}}};
  editor.ask("textDocument/hover", at);
  editor.tell("$/cancelRequest", {{"id", 2}});
  CHECK(editor.last()["error"]["code"] == -32800);
  editor.ask("textDocument/hover", at);
  editor.tell("textDocument/didChange",
              {{"textDocument", {{"uri", "file:///w/a.yaml"}, {"version", 2}}},
               {"contentChanges", {{{"text", std::string(bad_pod) + "\n"}}}}});
  editor.settle();
  CHECK(editor.last()["error"]["code"] == -32801);
  editor.ask("textDocument/hover", at);
  editor.settle();
  const std::string text = editor.last()["result"]["contents"]["value"];
  CHECK(text.find("**duplicate-key** (error)") == 0);
  CHECK(text.find("https://example.test/") != std::string::npos);
}

TEST_CASE("A client that pulls gets lists of open documents on request only") {
  Editor editor({{"/w/b.yaml", std::string(bad_pod)}},
                {{"textDocument", {{"diagnostic", Json::object()}}}});
  editor.open("file:///w/a.yaml", bad_pod);
  editor.settle();
  CHECK(editor.published("file:///w/b.yaml") == Codes{"duplicate-key"});
  CHECK_FALSE(editor.published("file:///w/a.yaml"));
  editor.ask("textDocument/diagnostic", {{"textDocument", {{"uri", "file:///w/a.yaml"}}}});
  editor.settle();
  CHECK(editor.last()["result"]["items"].size() == 1);
}

TEST_CASE("Requests before initialize and after shutdown are refused") {
  const MemoryFiles files({});
  server::Server early(files, {});
  CHECK(Json::parse(early.receive(R"({"id":1,"method":"shutdown"})").front())["error"]["code"] ==
        -32002);
  CHECK(early.receive(R"({"method":"exit"})").empty());
  CHECK(early.has_exited());
  CHECK(early.exit_status() == 1);
  Editor editor({});
  editor.ask("shutdown", nullptr);
  editor.ask("textDocument/hover", Json::object());
  CHECK(editor.last()["error"]["code"] == -32600);
  editor.tell("exit", nullptr);
  CHECK(editor.server().has_exited());
  CHECK(editor.server().exit_status() == 0);
}

namespace {

constexpr const char* nodes = R"(apiVersion: v1
kind: Node
metadata:
  name: gpu-1
  labels: {nvidia.com/gpu.product: Tesla-T4, nvidia.com/gpu.present: "true", zone: a}
spec:
  taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}, {key: team, value: ml, effect: NoExecute}]
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "4", pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: gpu-2, labels: {nvidia.com/gpu.product: NVIDIA-L4, zone: a}}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
)";

/// What is offered at the `^` of a text: what would be written, in the order shown.
[[nodiscard]] std::vector<std::string> offered(const std::string& marked,
                                               const std::string& uri = "file:///w/pod.yaml") {
  const std::size_t at = marked.find('^');
  REQUIRE(at != std::string::npos);
  const std::string before = marked.substr(0, at);
  Editor editor(
      {{"/w/nodes.yaml", std::string(nodes)}, {"/w/gpulint.yaml", std::string("join: auto\n")}});
  editor.open(uri, before + marked.substr(at + 1));
  editor.settle();
  const auto line = std::ranges::count(before, '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1);
  editor.ask("textDocument/completion", {{"textDocument", {{"uri", uri}}},
                                         {"position", {{"line", line}, {"character", column}}}});
  editor.settle();
  std::vector<std::string> texts;
  for (const Json& item : editor.last()["result"]) texts.push_back(item["textEdit"]["newText"]);
  return texts;
}

constexpr const char* pod_head = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n";

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("Completion offers what known nodes have") {
  const std::string head = pod_head;
  const Texts keys{"nvidia.com/gpu.product", "nvidia.com/gpu.present", "zone"};
  CHECK(offered(head + "  nodeSelector:\n    ^\n") == keys);
  CHECK(offered(head + "  nodeSelector:\n    zone: a\n    nvid^\n  containers: []\n") == keys);
  CHECK(offered(head + "  nodeSelector:\n    nvidia.com/gpu.product: ^\n") ==
        Texts{"Tesla-T4", "NVIDIA-L4"});
  CHECK(offered(head + "  nodeSelector:\n    nvidia.com/gpu.present: ^\n") == Texts{"\"true\""});
  CHECK(offered(head + "  nodeSelector:\n    nvidia.com/gpu.present: \"^\"\n") == Texts{"true"});
  CHECK(offered(head + "  tolerations:\n  - key: ^\n") == Texts{"nvidia.com/gpu", "team"});
  CHECK(
      offered(head + "  tolerations:\n    - operator: Equal\n      key: team\n      value: ^\n") ==
      Texts{"ml"});
  CHECK(offered(head + "  tolerations:\n  - value: ^\n    key: team\n") == Texts{"ml"});
  CHECK(offered(head + "  tolerations:\n  - effect: ^\n") ==
        Texts{"NoSchedule", "PreferNoSchedule", "NoExecute"});
  CHECK(offered(head + "  containers:\n  - name: a\n    resources:\n      limits:\n        ^\n") ==
        Texts{"cpu", "memory", "nvidia.com/gpu"});
  const std::string terms = head +
                            "  affinity:\n    nodeAffinity:\n"
                            "      requiredDuringSchedulingIgnoredDuringExecution:\n"
                            "        nodeSelectorTerms:\n        - matchExpressions:\n";
  CHECK(offered(terms + "          - key: ^\n") == keys);
  CHECK(offered(terms +
                "          - key: zone\n            operator: In\n            values: [b, ^]\n") ==
        Texts{"a"});
  CHECK(offered(terms + "          - key: zone\n            operator: In\n            values:\n"
                        "            - ^\n") == Texts{"a"});
  CHECK(offered(head + "  hostname: ^\n").empty());
  CHECK(offered(head + "  # nodeSelector: ^\n").empty());
  const std::string mig = "version: v1\nmig-configs:\n  half:\n  - devices: all\n"
                          "    mig-enabled: true\n    mig-devices:\n      ^\n";
  const Texts profiles = offered(mig, "file:///w/mig.yaml");  // no known node has a GPU with MIG
  CHECK(std::ranges::count(profiles, "1g.5gb") == 1);
  CHECK(std::ranges::count(profiles, "1g.10gb") == 1);
  const std::string task = "from flytekit import task\n\n@task(accelerator=";
  const Texts constants = offered(task + "A1^)\ndef f() -> None: ...\n", "file:///w/t.py");
  CHECK(std::ranges::count(constants, "A100") == 1);
  CHECK(constants == offered(task + "accelerators.^)\n", "file:///w/t.py"));
  CHECK(offered("x = ^\n", "file:///w/t.py").empty());
}

TEST_CASE("Completion offers keys of Flyte and gpulint.yaml, and ids of rules") {
  const auto has = [](const Texts& texts, const char* text) {
    return std::ranges::find(texts, text) != texts.end();
  };
  CHECK(has(offered("configuration:\n  inline:\n    plugins:\n      k8s:\n        ^\n"),
            "gpu-device-node-label"));
  CHECK(offered("configuration:\n  inline:\n    plugins:\n      k8s:\n"
                "        gpu-resource-name: ^\n") == Texts{"cpu", "memory", "nvidia.com/gpu"});
  CHECK(offered("provider: ^\n", "file:///w/gpulint.yaml") ==
        Texts{"gke", "eks", "aks", "generic"});
  CHECK(has(offered("^\n", "file:///w/gpulint.yaml"), "nodes"));
  CHECK(has(offered("rules:\n  ignore:\n  - ^\n", "file:///w/gpulint.yaml"), "duplicate-key"));
  CHECK(has(offered(std::string(pod_head) + "  # gpulint: ignore[^\n"), "duplicate-key"));
}

TEST_CASE("A lens over a node counts the workloads that fit it") {
  const std::string pod = std::string(pod_head) +
                          "  containers:\n  - name: main\n    image: a:1\n"
                          "    resources: {limits: {nvidia.com/gpu: 1}}\n";
  Editor editor({{"/w/nodes.yaml", std::string(nodes)}, {"/w/pod.yaml", pod}});
  editor.open("file:///w/nodes.yaml", nodes);
  editor.settle();
  editor.ask("textDocument/codeLens", {{"textDocument", {{"uri", "file:///w/nodes.yaml"}}}});
  editor.settle();
  Texts titles;
  for (const Json& each : editor.last()["result"]) titles.push_back(each["command"]["title"]);
  CHECK(titles == Texts{"0 of 1 workload fit here", "1 of 1 workload fit here"});
}

TEST_CASE("Links lead to the files that gpulint.yaml and kustomizations name") {
  const std::string text = "resources: [../base, pod.yaml, missing.yaml]\nnamePrefix: pod.yaml-\n";
  Editor editor({{"/w/app/kustomization.yaml", text},
                 {"/w/base/kustomization.yaml", std::string("resources: []\n")},
                 {"/w/app/pod.yaml", std::string(bad_pod)}});
  editor.open("file:///w/app/kustomization.yaml", text);
  editor.settle();
  editor.ask("textDocument/documentLink",
             {{"textDocument", {{"uri", "file:///w/app/kustomization.yaml"}}}});
  editor.settle();
  Texts targets;
  for (const Json& each : editor.last()["result"]) targets.push_back(each["target"]);
  CHECK(targets == Texts{"file:///w/base/kustomization.yaml", "file:///w/app/pod.yaml"});
}
