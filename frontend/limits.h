#pragma once

#include <cstddef>
#include <cstdint>

/// The most that the frontend reads. More is a SyntaxError of kind `limit`: that document is not
/// read, all others are. Kubernetes itself accepts objects up to about 3 MiB.
namespace gpulint::limits {

/// Nested mappings and sequences.
inline constexpr std::size_t nesting = 200;
/// Bytes of one YAML document.
inline constexpr std::uint32_t yaml_document_bytes = 64U << 20U;
/// Bytes of one scalar or flow collection in YAML: the parser has to keep all of it in memory.
inline constexpr std::uint32_t yaml_token_bytes = 4U << 20U;
/// Brackets and commas in one flow collection in YAML. The parser keeps each of these tokens: some
/// hundred bytes.
inline constexpr std::size_t yaml_flow_tokens = 400'000;
/// Nodes of one JSON document: this many, and one for every json_bytes_per_node bytes. `kubectl get
/// -o json` has one node for 24 bytes, pods of a few fields on one line one for 8.
inline constexpr std::size_t json_nodes = 500'000;
inline constexpr std::size_t json_bytes_per_node = 7;
/// Bytes of one Python source, and its nesting of brackets, blocks and operators.
inline constexpr std::uint32_t python_bytes = 8U << 20U;
inline constexpr std::size_t python_nesting = 60;
/// For a packed file: size after unpacking, number of files in an archive, size of the converted
/// text, and nesting of serialised messages.
inline constexpr std::size_t unpacked_bytes = 256U << 20U;
inline constexpr std::size_t archived_files = 20'000;
inline constexpr std::size_t packaged_text_bytes = 64U << 20U;
inline constexpr std::size_t message_nesting = 60;
/// Bytes of one file, including JSON documents.
inline constexpr std::uint64_t file_bytes = 1U << 30U;

}  // namespace gpulint::limits
