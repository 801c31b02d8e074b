#include <string>

#include <catch2/catch.hpp>

#include "compiler/ir/node.h"
#include "frontend/json_reader.h"
#include "frontend/stream.h"
#include "frontend/yaml_parser.h"

using gpulint::Document;
using gpulint::Node;
using gpulint::NodeIndex;
using gpulint::Reading;
using gpulint::SourceFile;

namespace {

std::unique_ptr<Document> read(const SourceFile& file, const Reading& reading) {
  return gpulint::parse_document(file, gpulint::split_stream(file.text()).front(), reading);
}

std::string pod(const std::string& name, const std::string& owner, const std::string& spec) {
  return R"({"kind": "Pod", "metadata": {"name": ")" + name +
         R"(", "managedFields": [{"a": "}\""}], "ownerReferences": [{"kind": ")" + owner +
         R"(", "controller": true, "uid": "7"}]}, "spec": )" + spec +
         R"(, "status": {"conditions": [1, {"a": null}], "phase": "Running", "images": -1}})";
}

std::string list(const std::string& items) {
  return R"({"apiVersion": "v1", "items": [)" + items + R"(], "kind": "List"})";
}

}  // namespace

TEST_CASE("What a cluster writes down for itself is left out, and nothing else") {
  const SourceFile file(0, "a.json", list(pod("a", "ReplicaSet", "{}")));
  const auto document = read(file, {.leaves_out_records = true});
  REQUIRE(document->errors.empty());
  const Node one = root(*document).get("items").items().front();
  CHECK(one.at("metadata", "name").text() == "a");
  CHECK_FALSE(one.at("metadata", "managedFields"));
  CHECK(one.get("status").size() == 1);
  CHECK(one.at("status", "phase").text() == "Running");
  CHECK(one.get("metadata").children().size() == 4);
}

TEST_CASE("By default all is kept") {
  const SourceFile file(0, "a.json", list(pod("a", "ReplicaSet", "{}")));
  const auto document = read(file, {});
  const Node one = root(*document).get("items").items().front();
  CHECK(one.at("metadata", "managedFields").size() == 1);
  CHECK(one.get("status").size() == 3);
}

TEST_CASE("Records that are no JSON make the document none") {
  for (const std::string broken :
       {R"({"status": {"images": }})", R"({"status": {"images": [})", R"({"status": {"images" 1}})",
        R"({"status": {"images": "})", R"({"status": {"images)", R"({"status": {"images": "\)"}) {
    CAPTURE(broken);
    const SourceFile file(0, "a.json", broken);
    CHECK_FALSE(read(file, {.leaves_out_records = true})->is_json);
  }
}

TEST_CASE("An object behind another that ends within an escape is told where it stands") {
  const SourceFile file(0, "a.json", R"({"a": 1} {"b": "\)");
  const auto streams = gpulint::split_stream(file.text());
  REQUIRE(streams.size() == 2);
  const auto document = gpulint::parse_document(file, streams[1], {});
  REQUIRE(document->errors.size() == 1);
  CHECK(document->errors[0].span.begin <= document->errors[0].span.end);
  CHECK(document->errors[0].span.end <= file.text().size());
}

TEST_CASE("Words of the same names elsewhere are no records") {
  const SourceFile file(
      0, "a.json",
      R"({"spec": {"status": {"images": 1}, "images": 2}, "images": 3, "metadata": {}})");
  const auto document = read(file, {.leaves_out_records = true});
  CHECK(root(*document).at("spec", "status", "images").text() == "1");
  CHECK(root(*document).at("spec", "images").text() == "2");
  CHECK(root(*document).get("images").text() == "3");
}

TEST_CASE("Of pods of one template the first that is bound and the first that is not are kept") {
  const std::string bound = R"({"nodeName": "n"})";
  const SourceFile file(
      0, "a.json",
      list(pod("a", "ReplicaSet", bound) + "," + pod("b", "ReplicaSet", bound) + "," +
           pod("c", "ReplicaSet", "{}") + "," + pod("d", "ReplicaSet", bound) + "," +
           pod("e", "Workflow", "{}") + "," + pod("f", "Workflow", "{}") + "," +
           pod("g", "ReplicaSet", "{}")));
  std::map<NodeIndex, std::uint32_t> alike;
  const auto document = read(file, {.leaves_out_records = true, .pods_alike = &alike});
  REQUIRE(document->errors.empty());
  const std::vector<Node> kept = root(*document).get("items").items();
  std::string names;
  for (const Node one : kept) names += one.at("metadata", "name").text();
  CHECK(names == "acef");
  CHECK(root(*document).get("kind").text() == "List");
  REQUIRE(alike.size() == 2);
  CHECK(alike[kept[0].index()] == 2);
  CHECK(alike[kept[1].index()] == 1);
}
