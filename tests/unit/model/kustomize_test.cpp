#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "compiler/ir/key_path.h"
#include "compiler/ir/kubernetes_json.h"
#include "compiler/model/kustomize/apply.h"
#include "compiler/model/objects.h"
#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

[[nodiscard]] std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Files = std::map<std::string, std::string>;

/// Files as the inputs of a run.
class Tree {
 public:
  explicit Tree(const Files& files, std::size_t kustomizations = 1) {
    for (const auto& [path, text] : files) {
      const FileId id = sources_.add(path, text);
      for (auto& document : parse_file(sources_.file(id))) {
        auto inner = embedded_documents(*document, sources_.file(id));
        read_.push_back(std::move(document));
        std::ranges::move(inner, std::back_inserter(read_));
      }
    }
    for (const auto& document : read_) documents_.push_back(document.get());
    applied_ = kustomize::apply(sources_, documents_, kustomizations);
  }

  [[nodiscard]] const kustomize::Applied& applied() const { return applied_; }
  [[nodiscard]] const SourceSet& sources() const { return sources_; }

  /// Everything that is applied, kustomizations left out.
  [[nodiscard]] std::vector<Json> objects() const {
    std::vector<Json> found;
    for (const Document* document : applied_.whole) {
      const KubernetesJson read = to_kubernetes_json(*document);
      REQUIRE_FALSE(read.error);
      const Json object = Json::parse(read.text);
      if (!object.is_object()) continue;
      const std::string kind = object.value("kind", "Kustomization");
      if (kind == "Kustomization" || kind == "Component" || document->host != nullptr) continue;
      found.push_back(object);
    }
    return found;
  }

 private:
  SourceSet sources_;
  std::vector<std::unique_ptr<Document>> read_;
  std::vector<const Document*> documents_;
  kustomize::Applied applied_;
};

[[nodiscard]] Files files_below(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().lexically_relative(folder).generic_string();
    if (entry.is_regular_file() && path != "built.yaml") files[path] = read_text(entry.path());
  }
  return files;
}

[[nodiscard]] std::map<std::string, Json> by_name(const std::vector<Json>& objects) {
  std::map<std::string, Json> found;
  for (const Json& object : objects) {
    const std::string key = object["kind"].get<std::string>() + "/" +
                            object["apiVersion"].get<std::string>() + "/" +
                            object["metadata"]["name"].get<std::string>();
    CHECK_FALSE(found.contains(key));
    found[key] = object;
  }
  return found;
}

const std::string base = R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: infer}
spec:
  template:
    metadata: {labels: {tier: gpu}}
    spec:
      containers:
      - {name: main, image: a}
)";
const std::string patch = R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: infer}
spec:
  template:
    spec:
      tolerations: [{key: a, operator: Exists}]
)";

}  // namespace

TEST_CASE("what kustomize builds is what its patches and bases merge to") {
  std::size_t trees = 0;
  for (const auto& entry : fs::directory_iterator(GPULINT_SOURCE_DIR "/testdata/kustomize")) {
    if (!entry.is_directory()) continue;
    ++trees;
    INFO(entry.path());
    const Tree tree(files_below(entry.path()));
    const Tree built(Files{{"built.yaml", read_text(entry.path() / "built.yaml")}});
    const auto made = by_name(tree.objects());
    const auto real = by_name(built.objects());
    CHECK(made.size() == real.size());
    for (const auto& [name, object] : real) {
      INFO(name);
      CHECK((made.contains(name) ? made.at(name) : Json()) == object);
    }
    CHECK(tree.applied().fragments.empty());
    CHECK(tree.applied().unmerged.empty());
  }
  CHECK(trees >= 12);
}

TEST_CASE("each part of what is merged stands in the file that wrote it") {
  const Tree tree(Files{{"base/kustomization.yaml", "resources: [d.yaml]"},
                        {"base/d.yaml", base},
                        {"o/kustomization.yaml", "resources: [../base]\npatches: [{path: p.yaml}]"},
                        {"o/p.yaml", patch}});
  REQUIRE(tree.applied().made.size() == 1);
  const Node pod = root(*tree.applied().made.front()).at("spec", "template", "spec");
  const Node key = pod.get("tolerations").items().front().get("key");
  CHECK(tree.sources().file(key.span()).path() == "o/p.yaml");
  CHECK(tree.sources().text(key.span()) == "a");
  CHECK(key_path(key) == "spec.template.spec.tolerations[0].key");
  const Node image = pod.get("containers").items().front().get("image");
  CHECK(tree.sources().file(image.span()).path() == "base/d.yaml");
}

TEST_CASE("what a kustomization adds points at it, and a changed name at the name") {
  const Tree tree(Files{{"kustomization.yaml",
                         "resources: [d.yaml]\ncommonLabels: {app: infer}\nnamePrefix: new-\n"
                         "namespace: ml\n"},
                        {"d.yaml", base}});
  REQUIRE(tree.applied().made.size() == 1);
  const Node object = root(*tree.applied().made.front());
  const Node label = object.at("spec", "selector", "matchLabels", "app");
  CHECK(label.text() == "infer");
  CHECK(tree.sources().file(label.span()).path() == "kustomization.yaml");
  CHECK(tree.sources().text(label.key_span()) == "app");
  CHECK(tree.sources().text(object.at("spec", "selector").span()) == "commonLabels");
  CHECK(tree.sources().text(object.at("metadata", "namespace").span()) == "ml");
  const Node name = object.at("metadata", "name");
  CHECK(name.text() == "new-infer");
  CHECK(tree.sources().file(name.span()).path() == "d.yaml");
  CHECK(tree.sources().text(name.span()) == "infer");
}

TEST_CASE("names stay as written where the kustomization configures what refers to them") {
  const Tree tree(Files{
      {"kustomization.yaml", "resources: [d.yaml]\nnamePrefix: new-\nconfigurations: [c.yaml]\n"},
      {"d.yaml", base}});
  REQUIRE(tree.objects().size() == 1);
  CHECK(tree.objects().front()["metadata"]["name"] == "infer");
}

TEST_CASE("a labels entry whose pairs are an alias is read") {
  const Tree tree(Files{{"kustomization.yaml",
                         "resources: [d.yaml]\nx: [&p {a: b}, &n ml]\nlabels: [{pairs: *p, "
                         "includeSelectors: true}]\nnamespace: *n\n"},
                        {"d.yaml", base}});
  REQUIRE(tree.objects().size() == 1);
  CHECK(tree.objects().front()["spec"]["selector"]["matchLabels"]["a"] == "b");
  CHECK(tree.objects().front()["metadata"]["namespace"] == "ml");
}

namespace {

/// Two kustomizations a level, each of both of the next level.
[[nodiscard]] Files diamond(int levels, const std::string& last) {
  Files files;
  for (int i = 0; i < levels; ++i) {
    const std::string next = std::to_string(i + 1);
    for (const std::string side : {"a", "b"}) {
      files[side + std::to_string(i) + "/kustomization.yaml"] =
          "resources: [../a" + next + ", ../b" + next + "]\nnamePrefix: " + side + "-\n";
    }
  }
  for (const std::string side : {"a", "b"}) {
    files[side + std::to_string(levels) + "/kustomization.yaml"] = "resources: [" + last + "]\n";
    if (!last.empty()) files[side + std::to_string(levels) + "/" + last] = base;
  }
  return files;
}

}  // namespace

TEST_CASE("a diamond of kustomizations builds each folder once") {
  CHECK(Tree(diamond(3, "d.yaml")).objects().size() == 16);
  CHECK(Tree(diamond(200, "")).objects().empty());
}

TEST_CASE("a kustomization that makes too many objects is not built") {
  const Tree tree(diamond(40, "d.yaml"));
  CHECK(tree.objects().size() == 2);
  REQUIRE(tree.applied().unmerged.size() == 2);
  CHECK(tree.applied().unmerged.front().is_oversized);
  CHECK(tree.applied().unmerged.front().reason == "it creates more than 10168 objects");
  const Files files = diamond(11, "d.yaml");
  CHECK(Tree(files).applied().unmerged.empty());
  const Tree one_of_many(files, 100);
  REQUIRE(one_of_many.applied().unmerged.size() == 2);
  CHECK(one_of_many.applied().unmerged.front().is_oversized);
}

TEST_CASE("a chain of kustomizations is built up to a depth") {
  const auto chain = [](int levels) {
    Files files;
    for (int i = 0; i < levels; ++i) {
      files["k" + std::to_string(i) + "/kustomization.yaml"] =
          "resources: [../k" + std::to_string(i + 1) + "]\nnamespace: ml\n";
    }
    files["k" + std::to_string(levels) + "/kustomization.yaml"] = "resources: [d.yaml]\n";
    files["k" + std::to_string(levels) + "/d.yaml"] = base;
    return files;
  };
  CHECK(Tree(chain(4'990)).applied().unmerged.empty());
  const Tree deep(chain(5'010));
  REQUIRE(deep.applied().unmerged.size() == 1);
  CHECK(deep.applied().unmerged.front().reason == "more than 5000 kustomizations are nested");
}

TEST_CASE("two overlays of a base make two objects of it") {
  const std::string overlay = "resources: [../base]\npatches: [{path: p.yaml}]";
  const Tree tree(Files{{"base/kustomization.yaml", "resources: [d.yaml]"},
                        {"base/d.yaml", base},
                        {"one/kustomization.yaml", overlay},
                        {"one/p.yaml", patch},
                        {"two/kustomization.yaml", "resources: [../base]"}});
  CHECK(tree.objects().size() == 2);
  CHECK(tree.applied().made.size() == 1);
}

TEST_CASE("patches whose base is out of reach are parts of objects, and it is said why") {
  const Tree tree(Files{
      {"o/kustomization.yaml", "resources: [https://example.com/base]\npatches: [{path: p.yaml}]"},
      {"o/p.yaml", patch}});
  CHECK(tree.objects().empty());
  REQUIRE(tree.applied().fragments.size() == 1);
  REQUIRE(tree.applied().unmerged.size() == 1);
  CHECK(tree.applied().unmerged.front().folder == "o");
}

TEST_CASE("what a transformer may change is not known whole") {
  const Tree tree(Files{{"kustomization.yaml",
                         "resources: [d.yaml]\npatches: [{path: p.yaml}]\ntransformers: [t.yaml]"},
                        {"d.yaml", base},
                        {"p.yaml", patch}});
  CHECK(tree.objects().empty());
  CHECK(tree.applied().fragments.size() == 1);
  REQUIRE(tree.applied().unmerged.size() == 1);
  CHECK(tree.applied().unmerged.front().folder == ".");
}

TEST_CASE("a patch is evident without a kustomization only by what no object holds") {
  const auto wholes = [](const std::string& text) {
    return Tree(Files{{"a.yaml", text}}).applied().whole.size();
  };
  CHECK(wholes(base) == 1);
  CHECK(wholes(patch) == 0);  // the API server takes no Deployment without a selector
  CHECK(wholes("kind: Job\napiVersion: batch/v1\nspec: {template: {}}\n") == 1);
  CHECK(wholes("kind: Job\napiVersion: apps/v1\nmetadata: {name: '*'}\n") == 0);
  CHECK(wholes(base + "      volumes: [{name: a, $patch: delete}]\n") == 0);
  CHECK(wholes("kind: ConfigMap\ndata: {note: the $patch key}\n") == 1);
}

TEST_CASE("a JSON patch without its base shows what it writes, and no halves of items") {
  const Tree tree(Files{{"kustomization.yaml", R"(patches:
- target: {kind: Deployment}
  patch: |-
    - {op: add, path: /spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu, value: 1}
    - {op: add, path: /spec/template/spec/tolerations/0/value, value: x}
    - {op: remove, path: /spec/replicas}
)"}});
  REQUIRE(tree.applied().fragments.size() == 1);
  const Node pod = root(*tree.applied().fragments.front()).at("spec", "template", "spec");
  const Node limits = pod.get("containers").items().front().at("resources", "limits");
  CHECK(limits.get("nvidia.com/gpu").text() == "1");
  CHECK(tree.sources().text(limits.get("nvidia.com/gpu").span()) == "1");
}

}  // namespace gpulint
