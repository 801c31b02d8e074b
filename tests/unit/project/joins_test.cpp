#include "compiler/project/joins.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace gpulint {
namespace {

/// A tree of files, told by what they hold.
class Tree {
 public:
  Tree& nodes(const std::string& path, const std::string& name, const std::string& text = "") {
    FileContent& file = add(path);
    file.nodes.emplace_back("Node `" + name + "`", std::hash<std::string>()(text));
    return *this;
  }
  Tree& pods(const std::string& path) {
    add(path);
    return *this;
  }
  Tree& values(const std::string& path, FlyteChart chart) {
    add(path).values = chart;
    return *this;
  }
  Tree& gives(const std::string& path, SharedObject what, const std::string& name,
              const std::string& text = "") {
    FileContent& file = add(path);
    file.objects[what].emplace_back(name, std::hash<std::string>()(text));
    return *this;
  }
  Tree& needs(const std::string& path, SharedObject what) {
    add(path).needs.objects.insert(what);
    return *this;
  }
  Tree& and_needs(SharedObject what) {
    files_.back().needs.objects.insert(what);
    return *this;
  }
  Tree& defines(const std::string& path, const std::string& kind, const std::string& text = "") {
    add(path).definitions[kind].emplace_back(kind, std::hash<std::string>()(text));
    return *this;
  }
  Tree& has(const std::string& path, const std::string& kind) {
    add(path).needs.kinds.insert(kind);
    return *this;
  }
  Tree& of(Provider provider) {
    files_.back().providers = {provider};
    return *this;
  }
  Tree& in(const std::string& cluster, const std::string& region = "") {
    files_.back().clusters = {{cluster, region}};
    return *this;
  }
  Tree& with_pods() {
    files_.back().holds_pods = true;
    return *this;
  }

  /// The joined files, `a + b`, one join a string.
  [[nodiscard]] std::vector<std::string> joins() const {
    std::vector<std::string> result;
    for (const Join& join : plan_joins(files_).joins) result.push_back(names(join.files));
    std::ranges::sort(result);
    return result;
  }
  /// Why files are kept apart.
  [[nodiscard]] std::vector<std::string> apart() const {
    std::vector<std::string> result;
    for (const NotCompared& apart : plan_joins(files_).not_compared) {
      result.push_back(names(apart.files) + ": " + apart.because);
    }
    std::ranges::sort(result);
    return result;
  }

 private:
  FileContent& add(const std::string& path) {
    FileContent& file = files_.emplace_back();
    file.file = static_cast<FileId>(files_.size() - 1);
    file.path = path;
    return file;
  }
  [[nodiscard]] std::string names(const std::vector<FileId>& ids) const {
    std::string result;
    for (const FileId id : ids) result += (result.empty() ? "" : " + ") + files_[id].path;
    return result;
  }

  std::vector<FileContent> files_;
};

using Strings = std::vector<std::string>;

TEST_CASE("Nodes of two declared clusters serve nothing") {
  const auto tree = [](const std::string& name, const std::string& region) {
    return Tree()
        .nodes("eks/a.yaml", "a")
        .in("one", "us-east-1")
        .nodes("eks/b.yaml", "b")
        .in(name, region)
        .pods("app.yaml");
  };
  CHECK(tree("one", "us-east-1").joins() == Strings{"eks/a.yaml + eks/b.yaml + app.yaml"});
  CHECK(tree("two", "us-east-1").joins().empty());
  CHECK(tree("two", "us-east-1").apart() ==
        Strings{
            "app.yaml: the nodes belong to several clusters: one in us-east-1, two in us-east-1"});
  CHECK(tree("one", "eu-west-1").joins().empty());
}

TEST_CASE("A project with nodes of its own serves nothing outside of it") {
  const auto tree = [](const std::string& folder) {
    return Tree()
        .nodes(folder + "/nodes.yaml", "a")
        .pods(folder + "/chart/app.yaml")
        .pods("other/app.yaml");
  };
  CHECK(tree("eks-triton").joins() == Strings{"eks-triton/nodes.yaml + eks-triton/chart/app.yaml"});
  CHECK(tree("eks-triton").apart() ==
        Strings{"other/app.yaml: the folder `eks-triton` is a separate project"});
  for (const std::string folder : {"infra", "gpu-nodes", "eks-prod", "a100-pool", "clusters/x"}) {
    CHECK(tree(folder).joins().front().ends_with("other/app.yaml"));
  }
  CHECK(Tree().nodes("eks-triton/nodes.yaml", "a").pods("app.yaml").joins() ==
        Strings{"eks-triton/nodes.yaml + app.yaml"});
}

TEST_CASE("Other nodes that serve nothing show a collection of clusters") {
  const auto tree = [](const Strings& others, const std::string& app = "apps/app.yaml") {
    Tree result;
    result.nodes("infra/nodes.yaml", "a").pods(app);
    for (const std::string& file : others) result.nodes(file, file);
    return result;
  };
  CHECK(tree({"x/eks/one.yaml", "x/y/gpu-pool.yaml"}).joins().empty());
  const Strings joined = {"infra/nodes.yaml + apps/app.yaml"};
  CHECK(tree({"x/eks/one.yaml"}).joins() == joined);
  // Nothing in the names tells that these are nodes.
  CHECK(tree({"x/y/one.yaml", "x/z/two.yaml"}).joins() == joined);
  CHECK(tree({"docs/eks/one.yaml", "docs/eks/two.yaml"}).joins() == joined);
  // These could serve the file if no others were nearer.
  CHECK(
      tree({"eks/one.yaml", "eks/two.yaml", "apps/infra/nodes.yaml"}, "apps/x/app.yaml").joins() ==
      Strings{"apps/x/app.yaml + apps/infra/nodes.yaml"});
}

TEST_CASE("Nodes serve the files of their own folder") {
  const Tree tree = Tree().nodes("nodes.yaml", "a").pods("pod.yaml").pods("values.yaml");
  CHECK(tree.joins() == Strings{"nodes.yaml + pod.yaml + values.yaml"});
  CHECK(tree.apart().empty());
}

TEST_CASE("Nodes serve folders below theirs") {
  const Tree tree = Tree().nodes("nodes.yaml", "a").pods("apps/train/pod.yaml");
  CHECK(tree.joins() == Strings{"nodes.yaml + apps/train/pod.yaml"});
}

TEST_CASE("Nodes in a folder named after machines serve what stands beside it") {
  for (const std::string folder :
       {"nodes", "karpenter", "infra", "gpu-node-pools", "clusters/x", "infra/karpenter"}) {
    CAPTURE(folder);
    const Tree tree = Tree().nodes(folder + "/a.yaml", "a").pods("apps/pod.yaml");
    CHECK(tree.joins() == Strings{folder + "/a.yaml + apps/pod.yaml"});
  }
}

TEST_CASE("Nodes deep in some other folder serve nobody else") {
  const Tree tree = Tree().nodes("vendor/chart/nodes.yaml", "a").pods("apps/pod.yaml");
  CHECK(tree.joins().empty());
  CHECK(tree.apart() == Strings{"apps/pod.yaml: no nodes are near them in the tree"});
}

TEST_CASE("The nearest nodes win") {
  const Tree tree = Tree()
                        .nodes("nodes.yaml", "a")
                        .nodes("apps/nodes.yaml", "b")
                        .pods("apps/pod.yaml")
                        .pods("web/pod.yaml");
  CHECK(tree.joins() == Strings{"apps/nodes.yaml + apps/pod.yaml", "nodes.yaml + web/pod.yaml"});
}

TEST_CASE("Two clusters are kept apart") {
  SECTION("by name, unless the file's own path says which is meant") {
    const Tree tree = Tree()
                          .nodes("clusters/east/nodes.yaml", "a")
                          .nodes("clusters/west/nodes.yaml", "b")
                          .pods("clusters/east/pod.yaml")
                          .pods("apps/west/pod.yaml")
                          .pods("apps/pod.yaml");
    CHECK(tree.joins() == Strings{"clusters/east/nodes.yaml + clusters/east/pod.yaml",
                                  "clusters/west/nodes.yaml + apps/west/pod.yaml"});
    CHECK(tree.apart() ==
          Strings{"apps/pod.yaml: the nodes belong to several clusters: east, west"});
  }
  SECTION("by name, where the nodes of one alone are there") {
    const Tree tree = Tree()
                          .nodes("clusters/a/nodes/n.yaml", "a")
                          .pods("clusters/b/deploy/pod.yaml")
                          .pods("clusters/a/deploy/pod.yaml");
    CHECK(tree.joins() == Strings{"clusters/a/nodes/n.yaml + clusters/a/deploy/pod.yaml"});
    CHECK(tree.apart() ==
          Strings{"clusters/b/deploy/pod.yaml: the nodes belong to a cluster other than `b`"});
  }
  SECTION("by environment, in names of files too, however it is spelt") {
    const Tree tree = Tree()
                          .nodes("nodes-prod.yaml", "a")
                          .nodes("nodes-staging.yaml", "b")
                          .pods("values-production.yaml")
                          .pods("values-dev.yaml")
                          .pods("pod.yaml");
    CHECK(tree.joins() == Strings{"nodes-prod.yaml + values-production.yaml"});
    CHECK(tree.apart() ==
          Strings{"pod.yaml: the nodes belong to several clusters: prod, staging",
                  "values-dev.yaml: the nodes belong to a cluster other than `dev`"});
  }
  SECTION("by one name with two contents") {
    const Tree tree =
        Tree().nodes("a.yaml", "gpu", "T4").nodes("b.yaml", "gpu", "A100").pods("pod.yaml");
    CHECK(tree.joins().empty());
    CHECK(tree.apart() == Strings{"pod.yaml: Node `gpu` occurs twice, with different content"});
  }
  SECTION("but not by one node that was written down twice") {
    const Tree tree =
        Tree().nodes("a.yaml", "gpu", "T4").nodes("b.yaml", "gpu", "T4").pods("pod.yaml");
    CHECK(tree.joins() == Strings{"a.yaml + b.yaml + pod.yaml"});
  }
  SECTION("by provider") {
    const Tree tree = Tree()
                          .nodes("a.yaml", "a")
                          .of(Provider::gke)
                          .nodes("b.yaml", "b")
                          .of(Provider::eks)
                          .pods("pod.yaml");
    CHECK(tree.joins().empty());
  }
  SECTION("where each file is a cluster of its own") {
    const Tree tree =
        Tree().nodes("a.yaml", "a").with_pods().nodes("b.yaml", "b").with_pods().pods("pod.yaml");
    CHECK(tree.joins().empty());
  }
}

TEST_CASE("One file with nodes and pods serves the others") {
  const Tree tree = Tree().nodes("cluster.yaml", "a").with_pods().pods("values.yaml");
  CHECK(tree.joins() == Strings{"cluster.yaml + values.yaml"});
}

TEST_CASE("A folder of examples holds alternatives") {
  SECTION("which are not joined with each other") {
    const Tree tree = Tree().nodes("examples/pool.yaml", "a").pods("examples/pod.yaml");
    CHECK(tree.joins().empty());
    CHECK(tree.apart() ==
          Strings{"examples/pod.yaml: the folder `examples` contains alternatives"});
  }
  SECTION("nor with what stands around it") {
    const Tree tree = Tree().nodes("nodes.yaml", "a").pods("examples/pod.yaml");
    CHECK(tree.joins().empty());
  }
  SECTION("while each example is whole") {
    const Tree tree = Tree().nodes("examples/mig/pool.yaml", "a").pods("examples/mig/pod.yaml");
    CHECK(tree.joins() == Strings{"examples/mig/pool.yaml + examples/mig/pod.yaml"});
  }
}

TEST_CASE("Values files of one chart side by side may be layers, and are not guessed about") {
  const Tree tree = Tree()
                        .nodes("nodes.yaml", "a")
                        .values("values.yaml", FlyteChart::core)
                        .values("values-extra.yaml", FlyteChart::core)
                        .values("binary.yaml", FlyteChart::binary);
  CHECK(tree.joins() == Strings{"nodes.yaml + binary.yaml"});
  CHECK(tree.apart().size() == 1);
}

TEST_CASE("Objects serve the files that need them, each by itself") {
  const Tree tree = Tree()
                        .gives("runtime/classes.yaml", SharedObject::runtime_class, "nvidia")
                        .needs("apps/a.yaml", SharedObject::runtime_class)
                        .needs("apps/b.yaml", SharedObject::runtime_class)
                        .pods("apps/c.yaml");
  CHECK(tree.joins() == Strings{"runtime/classes.yaml + apps/a.yaml",  // in the order of files
                                "runtime/classes.yaml + apps/b.yaml"});
  CHECK(tree.apart().empty());
}

TEST_CASE("What an object needs comes with it") {
  const Tree tree = Tree()
                        .needs("pod.yaml", SharedObject::claim)
                        .gives("claim.yaml", SharedObject::claim, "gpu")
                        .and_needs(SharedObject::device_class)
                        .gives("dra/class.yaml", SharedObject::device_class, "gpu");
  CHECK(tree.joins() ==
        Strings{"claim.yaml + dra/class.yaml", "pod.yaml + claim.yaml + dra/class.yaml"});
}

TEST_CASE("Objects come to files that are joined with nodes, too") {
  const Tree tree = Tree()
                        .nodes("nodes.yaml", "a")
                        .needs("pod.yaml", SharedObject::quota)
                        .gives("quota.yaml", SharedObject::quota, "gpus");
  CHECK(tree.joins() == Strings{"nodes.yaml + pod.yaml + quota.yaml"});
}

TEST_CASE("Objects of two clusters and of alternatives are kept apart") {
  constexpr SharedObject claim = SharedObject::claim;
  SECTION("by environment") {
    const Tree tree = Tree()
                          .gives("prod/claims.yaml", claim, "gpu", "1")
                          .gives("staging/claims.yaml", claim, "gpu", "2")
                          .needs("prod/pod.yaml", claim)
                          .needs("pod.yaml", claim);
    CHECK(tree.joins() == Strings{"prod/claims.yaml + prod/pod.yaml"});
  }
  SECTION("by one name with two contents") {
    const Tree tree = Tree()
                          .gives("a.yaml", claim, "gpu", "1")
                          .gives("b.yaml", claim, "gpu", "2")
                          .needs("pod.yaml", claim);
    CHECK(tree.joins().empty());
  }
  SECTION("in a folder of examples") {
    CHECK(Tree()
              .gives("examples/a.yaml", claim, "gpu")
              .needs("examples/pod.yaml", claim)
              .joins()
              .empty());
  }
  SECTION("where a file has its own") {
    const Tree tree =
        Tree().gives("a.yaml", claim, "gpu").gives("pod.yaml", claim, "other").and_needs(claim);
    CHECK(tree.joins().empty());
  }
}

TEST_CASE("Nodes beside a file are an example in a tree of clusters that serve nothing") {
  const auto tree = [] {
    return Tree().pods("deploy/app/pod.yaml").nodes("deploy/karpenter/pool.yaml", "pool");
  };
  const std::vector<std::string> joined{"deploy/app/pod.yaml + deploy/karpenter/pool.yaml"};
  CHECK(tree().nodes("conf/eks-g5/g5.yaml", "g5").joins() == joined);
  const Tree collection = tree()
                              .nodes("conf/eks-g5/g5.yaml", "g5")
                              .nodes("conf/eks-p5/p5.yaml", "p5")
                              .pods("conf/eks-p5/pod.yaml");
  CHECK(collection.joins() ==
        std::vector<std::string>{"conf/eks-p5/p5.yaml + conf/eks-p5/pod.yaml", joined.front()});
  const Tree idle = tree().nodes("conf/eks-g5/g5.yaml", "g5").nodes("conf/eks-p5/p5.yaml", "p5");
  CHECK(idle.joins().empty());
  CHECK(idle.apart().front().find(
            "the tree has other nodes without workloads near them, in conf/eks-g5") !=
        std::string::npos);
  // Around the file they are its own, and examples serve nothing anyway.
  CHECK(Tree(idle).nodes("deploy/app/nodes.yaml", "own").joins() ==
        std::vector<std::string>{"deploy/app/pod.yaml + deploy/app/nodes.yaml"});
  CHECK(
      tree().nodes("examples/eks-g5/a.yaml", "g5").nodes("examples/eks-p5/b.yaml", "p5").joins() ==
      joined);
}

TEST_CASE("Without nodes there is nothing to join") {
  CHECK(Tree().pods("a.yaml").pods("b.yaml").joins().empty());
  CHECK(Tree().pods("a.yaml").pods("b.yaml").apart().empty());
  CHECK(Tree().nodes("a.yaml", "a").nodes("b.yaml", "b").joins().empty());
}

}  // namespace
TEST_CASE("A definition comes to the resources of its kind alone") {
  const Tree tree = Tree()
                        .has("apps/model.yaml", "example.com/Model")
                        .has("apps/other.yaml", "example.com/Other")
                        .defines("crds/model.yaml", "example.com/Model")
                        .defines("crds/unused.yaml", "example.com/Unused");
  CHECK(tree.joins() == Strings{"apps/model.yaml + crds/model.yaml"});
}

TEST_CASE("Two definitions of one kind that differ are of two clusters") {
  const Tree tree = Tree()
                        .has("apps/model.yaml", "example.com/Model")
                        .defines("crds/old.yaml", "example.com/Model", "old")
                        .defines("crds/new.yaml", "example.com/Model", "new");
  CHECK(tree.joins().empty());
}

}  // namespace gpulint
