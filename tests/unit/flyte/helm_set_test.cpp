#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/flyte/helm_values.h"

namespace gpulint::flyte {
namespace {

using Reading = ReleaseLayer::Reading;
using Kind = ConfigValue::Kind;

[[nodiscard]] std::string show(const ConfigValue& value) {
  std::vector<std::string> parts;
  for (const ConfigEntry& entry : value.entries) {
    parts.push_back(fmt::format("{}: {}", entry.key, show(entry.value)));
  }
  for (const ConfigValue& item : value.items) parts.push_back(show(item));
  if (value.is_map()) return fmt::format("{{{}}}", fmt::join(parts, ", "));
  if (value.is_list()) return fmt::format("[{}]", fmt::join(parts, ", "));
  if (value.opaque) return "?";
  if (value.is_null()) return "null";
  return value.is_string() ? fmt::format("'{}'", value.text) : value.text;
}

struct Given {
  std::string path;
  std::string value;
  Reading reading = Reading::typed;
};

/// What `settings` make of `values`, or why Helm refuses the last of them.
[[nodiscard]] std::string set_all(const std::vector<Given>& settings, ConfigValue values) {
  for (const auto& [path, value, reading] : settings) {
    const std::string refusal = apply_setting({reading, path, value, {}, {}}, values);
    if (!refusal.empty()) return "refused: " + refusal;
  }
  return show(values);
}

[[nodiscard]] std::string set_all(const std::vector<Given>& settings) {
  return set_all(settings, make_map());
}

// helm.sh/docs/intro/using_helm, «The format and limitations of --set».
TEST_CASE("what Helm's documentation sets is set as it says") {
  CHECK(set_all({{"name", "value"}}) == "{name: 'value'}");
  CHECK(set_all({{"a", "b,c=d"}}) == "{a: 'b', c: 'd'}");
  CHECK(set_all({{"outer.inner", "value"}}) == "{outer: {inner: 'value'}}");
  CHECK(set_all({{"name", "{a,b,c}"}}) == "{name: ['a', 'b', 'c']}");
  CHECK(set_all({{"servers[0].port", "80"}}) == "{servers: [{port: 80}]}");
  CHECK(set_all({{"servers[0].port", "80,servers[0].host=example"}}) ==
        "{servers: [{port: 80, host: 'example'}]}");
  CHECK(set_all({{"name", "value1\\,value2"}}) == "{name: 'value1,value2'}");
  CHECK(set_all({{"nodeSelector.kubernetes\\.io/role", "master"}}) ==
        "{nodeSelector: {kubernetes.io/role: 'master'}}");
}

// pkg/strvals/parser.go, typedVal.
TEST_CASE("Helm's --set knows booleans, null and whole numbers, --set-string only text") {
  CHECK(set_all({{"a", "true"}, {"b", "FALSE"}, {"c", "null"}}) == "{a: true, b: false, c: null}");
  CHECK(set_all({{"a", "0"}, {"b", "-7"}, {"c", "0700"}, {"d", "1.5"}, {"e", ""}}) ==
        "{a: 0, b: -7, c: '0700', d: '1.5', e: ''}");
  CHECK(set_all({{"a", "9223372036854775808"}}) == "{a: '9223372036854775808'}");
  CHECK(set_all({{"a", "true", Reading::text}, {"b", "1", Reading::text}}) ==
        "{a: 'true', b: '1'}");
  CHECK(set_all({{"a", "{true,1}", Reading::text}}) == "{a: ['true', '1']}");
}

TEST_CASE("what is set goes into what is there, and over it") {
  const ConfigValue two = make_list({make_string("x"), make_string("y")});
  const ConfigValue values =
      make_map({make_entry("a", make_map({make_entry("b", make_string("c"))})),
                make_entry("l", two), make_entry("s", make_string("t"))});
  CHECK(set_all({{"a.d", "e"}, {"l[1]", "z"}}, values) ==
        "{a: {b: 'c', d: 'e'}, l: ['x', 'z'], s: 't'}");
  CHECK(set_all({{"l[3].k", "v"}}, values) ==
        "{a: {b: 'c'}, l: ['x', 'y', null, {k: 'v'}], s: 't'}");
  CHECK(set_all({{"a", "1"}}, values) == "{a: 1, l: ['x', 'y'], s: 't'}");
  CHECK(set_all({{"m[0][1]", "v"}}) == "{m: [[null, 'v']]}");
  // Go's type assertions fail there, and Helm gives up.
  CHECK(set_all({{"s.u", "v"}}, values).starts_with("refused: `s`"));
  CHECK(set_all({{"a[0]", "v"}}, values).starts_with("refused: `a`"));
}

TEST_CASE("what Helm's parser refuses is refused") {
  for (const auto& [path, value] :
       std::vector<std::pair<std::string, std::string>>{{"a[x]", "1"},
                                                        {"a[-1]", "1"},
                                                        {"a[70000]", "1"},
                                                        {"a[0]b", "1"},
                                                        {"a", "{b,c"},
                                                        {"a,b", "1"},
                                                        {"a", "1,b"}}) {
    INFO(path << "=" << value);
    CHECK(set_all({{path, value}}).starts_with("refused"));
  }
}

TEST_CASE("what is set to something unknown is open, of a list the whole") {
  CHECK(set_all({{"a.b", {}, Reading::open}}) == "{a: {b: ?}}");
  CHECK(set_all({{"a[0].b", {}, Reading::open}}) == "{a: ?}");
  CHECK(set_all({{"a", {}, Reading::open}, {"a.b", "1"}}) == "{a: ?}");
}

}  // namespace
}  // namespace gpulint::flyte
