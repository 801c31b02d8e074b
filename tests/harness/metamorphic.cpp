#include "tests/harness/metamorphic.h"

#include <iterator>
#include <utility>

#include "tests/harness/metamorphic_text.h"
#include "tests/harness/metamorphic_tree.h"
#include "tests/harness/yaml_tree.h"

namespace gpulint::test {
namespace {

using Keeps = Transform::Keeps;
using Meaning = Transform::Meaning;
using Files = Transform::Files;
using Layout = Writing::Layout;
using Quotes = Writing::Quotes;
using Lists = Writing::Lists;
using Change = std::function<std::optional<std::string>(const std::string&)>;
using Alter = std::function<bool(std::vector<Tree>&)>;

/// Changes each file that can be changed; others stay.
[[nodiscard]] std::optional<Inputs> change_files(const Inputs& inputs, const Change& change) {
  Inputs changed = inputs;
  bool is_changed = false;
  for (InputText& input : changed) {
    if (!input.name.ends_with(".yaml") && !input.name.ends_with(".yml")) continue;
    std::optional<std::string> text = change(input.text);
    if (!text || *text == input.text) continue;
    input.text = std::move(*text);
    is_changed = true;
  }
  return is_changed ? std::optional(std::move(changed)) : std::nullopt;
}

[[nodiscard]] Transform on_text(std::string_view name, Change change,
                                Meaning meaning = Meaning::same) {
  return {.name = name, .meaning = meaning, .apply = [change](const Inputs& inputs) {
            return change_files(inputs, change);
          }};
}

[[nodiscard]] Change rewriting(Alter alter, Writing writing = {}) {
  return [alter, writing](const std::string& text) -> std::optional<std::string> {
    std::optional<std::vector<Tree>> trees = read_trees(text);
    if (!trees || trees->empty() || !alter(*trees)) return std::nullopt;
    return write_documents(*trees, writing);
  };
}

[[nodiscard]] bool keep(std::vector<Tree>& /*trees*/) { return true; }

[[nodiscard]] Transform on_trees(std::string_view name, Change change,
                                 Meaning meaning = Meaning::same) {
  Transform transform = on_text(name, std::move(change), meaning);
  transform.writing = Transform::Written::anew;
  return transform;
}

void add_text(std::vector<Transform>& all) {
  all.push_back(on_text("CRLF", with_crlf));
  all.push_back(on_text("byte order mark", with_byte_order_mark));
  all.push_back(on_text("leading ---", with_leading_marker));
  all.push_back(on_text("trailing ...", with_trailing_marker));
  all.push_back(on_text("no final newline", without_final_newline, Meaning::other));
  all.push_back(on_text("comments on lines of their own", with_comment_lines));
  all.push_back(on_text("comments at line ends", with_end_comments));
  all.push_back(on_text("blank lines", with_blank_lines));
  all.push_back(on_text("all deeper by two", indented_by_two));
}

void add_style(std::vector<Transform>& all) {
  const auto add = [&](std::string_view name, const Writing& writing, const Alter& alter = keep) {
    all.push_back(on_trees(name, rewriting(alter, writing)));
  };
  add("block, two columns", {});
  add("block, lists indented", {.lists = Lists::indented});
  add("block, four columns", {.indent = 4, .lists = Lists::indented});
  add("flow", {.layout = Layout::flow});
  add("single quotes", {.quotes = Quotes::single_quoted});
  add("double quotes", {.quotes = Quotes::double_quoted});
  add("flow in double quotes", {.layout = Layout::flow, .quotes = Quotes::double_quoted});
  add("no quotes", {.quotes = Quotes::none});
  add("keys reversed", {}, reverse_keys);
  add("keys shuffled", {}, shuffle_keys);
  add("keys sorted, in flow", {.layout = Layout::flow}, sort_keys);
  add("JSON", {.layout = Layout::json}, is_json_alike);
  add("JSON on one line", {.layout = Layout::json, .indent = 0}, is_json_alike);
  add("JSON stream", {.layout = Layout::json, .separator = ""}, is_json_stream);
  const auto meaning = Meaning::other;
  all.push_back(on_trees("documents reversed", rewriting(reverse_documents), meaning));
  all.push_back(on_trees("in a List", rewriting(wrap_in_list), meaning));
  all.push_back(on_trees("each in a List", rewriting(wrap_each_in_list), meaning));
  all.push_back(on_trees("List taken apart", rewriting(unwrap_lists), meaning));
  all.push_back(on_trees("objects renamed", rewriting(rename_objects), meaning));
  all.push_back(on_trees("namespaces renamed", rewriting(rename_namespaces), meaning));
}

void add_anchors(std::vector<Transform>& all) {
  const auto add = [&](std::string_view name, const Alter& alter) {
    Transform transform = on_trees(name, rewriting(alter), Meaning::other);
    transform.keeps = Keeps::words;
    all.push_back(std::move(transform));
  };
  add("anchors for what repeats", share_repeated);
  add("values defined under another key", define_elsewhere);
  add("merge keys", merge_from_elsewhere);
  add("aliases written out", write_out_aliases);
}

void add_neighbours(std::vector<Transform>& all) {
  const auto meaning = Meaning::other;
  all.push_back(on_text("unrelated documents before", with_documents_before, meaning));
  all.push_back(on_text("unrelated documents behind", with_documents_behind, meaning));
  all.push_back(on_text("empty documents around", with_empty_documents));
  const auto add = [&](std::string_view name, auto apply) {
    all.push_back({.name = name,
                   .meaning = meaning,
                   .writing = Transform::Written::anew,
                   .files = Files::other,
                   .apply = apply});
  };
  add("unrelated files", [](const Inputs& inputs) -> std::optional<Inputs> {
    Inputs more = inputs;
    std::ranges::copy(unrelated_files(), std::back_inserter(more));
    return more;
  });
  add("one file for each document", split_documents);
  add("files joined", join_files);
  add("JSON file", as_json_file);
}

}  // namespace

std::vector<Transform> all_transforms() {
  std::vector<Transform> all;
  add_text(all);
  add_style(all);
  add_anchors(all);
  add_neighbours(all);
  return all;
}

}  // namespace gpulint::test
