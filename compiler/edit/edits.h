#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "compiler/ir/yaml_string.h"

namespace gpulint {

/// A node as YAML text for the builders of edits.h, comments and anchors left out. Strings are
/// quoted where they need it; other plain scalars stay as written.

/// What to write in place of a scalar; nullopt: the scalar itself.
using Rewrite = std::function<std::optional<std::string>(Node scalar)>;

/// As the value of a key in column 0: on its own lines, beginning with a line break;
/// scalars and empty collections on the key's line.
[[nodiscard]] std::string block_text(Node node, const Rewrite& rewrite = {});
/// On one line: `{a: 1, b: [x, y]}`.
[[nodiscard]] std::string flow_text(Node node, const Rewrite& rewrite = {});

/// A value as insert_entry() takes it into a mapping of this style: scalars as they are written.
[[nodiscard]] std::string entry_value(const SourceSet& sources, Node value, Style style);

// edit: edits of byte ranges that keep the author's style, and plans of edits that can be applied
// together. It does not know why an edit is made and does not write files.

// Builders of byte-range edits that keep the author's style. Each returns no edit where it cannot
// do the job safely (text that is escaped inside a quoted scalar, transcoded files, nodes without a
// place), and a finding without edits offers no fix.

/// Whether the node or one below it has an anchor.
[[nodiscard]] bool holds_anchor(Node node);

/// Replaces a scalar by the string `value`, quoted as the scalar is now; a plain scalar becomes
/// quoted only where `value` would not be read as that string by Kubernetes and Flyte alike.
[[nodiscard]] std::vector<Edit> replace_string(const SourceSet& sources, Node scalar,
                                               std::string_view value);

/// Replaces a scalar by `text` without quoting, e.g. a number.
[[nodiscard]] std::vector<Edit> replace_raw(const SourceSet& sources, Node scalar,
                                            std::string_view text);

/// Puts double quotes around a plain scalar's own text: `true` → `"true"`.
[[nodiscard]] std::vector<Edit> quote(const SourceSet& sources, Node scalar);

/// Renames the key of a scalar and makes a list of the scalar: `value: x` → `values: [x]`.
[[nodiscard]] std::vector<Edit> rename_to_list(const SourceSet& sources, Node scalar,
                                               std::string_view key);

/// Removes a mapping's value with its key, or an item of a sequence: whole lines in block style
/// (comments at the end of the line go with it), with the comma in flow style. Where it is the only
/// one, block collections become `{}` or `[]`.
[[nodiscard]] std::vector<Edit> remove_entry(const SourceSet& sources, Node value);

/// Inserts `key: value` as the last entry of a mapping, in its style and indentation. `value` is a
/// scalar's text as written, or block lines relative to the key (first line empty). A key without a
/// value receives it; if the key has a value, nothing is inserted.
[[nodiscard]] std::vector<Edit> insert_entry(const SourceSet& sources, Node mapping,
                                             std::string_view key, std::string_view value);

/// insert_entry() of `key: {inner_key: inner_value}` into a mapping in flow style.
[[nodiscard]] std::vector<Edit> insert_flow_map(const SourceSet& sources, Node mapping,
                                                std::string_view key, std::string_view inner_key,
                                                std::string_view inner_value);

/// Inserts `key: value` in front of another entry of the same mapping; as its last entry if a
/// comment is right above `next`: the comment would change its owner.
[[nodiscard]] std::vector<Edit> insert_before(const SourceSet& sources, Node next,
                                              std::string_view key, std::string_view value);

/// Moves `first` and every entry after it in its mapping below a new key: `a: 1, b: 2` with `b` and
/// `k` becomes `a: 1, k: {b: 2}`. In block style `first` must begin a line.
[[nodiscard]] std::vector<Edit> nest_from(const SourceSet& sources, Node first,
                                          std::string_view key);

/// Items of a list, each made of the `key: value` lines of its entries: every item behind
/// `new_line`, which a block list's indentation ends; or those of a flow list, without brackets.
using ListItem = std::vector<std::string>;
[[nodiscard]] std::string block_items(const std::vector<ListItem>& items,
                                      const std::string& new_line);
[[nodiscard]] std::string flow_items(const std::vector<ListItem>& items);

/// Appends items to a sequence, or writes it where `key:` has no value.
[[nodiscard]] std::vector<Edit> append_items(const SourceSet& sources, Node sequence,
                                             const std::vector<ListItem>& items);
[[nodiscard]] std::vector<Edit> append_item(const SourceSet& sources, Node sequence,
                                            const ListItem& item);

/// Appends copies of the items of one sequence to another of the same style, without their
/// comments.
[[nodiscard]] std::vector<Edit> append_items_of(const SourceSet& sources, Node sequence,
                                                Node source);

using gpulint::yaml_string;
/// A string as written in the document around `near`: in quotes if that is JSON.
[[nodiscard]] std::string written_string(Node near, std::string_view text);

}  // namespace gpulint
