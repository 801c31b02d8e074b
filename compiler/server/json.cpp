#include "compiler/server/json.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpulint::server {

const Json& get(const Json& object, std::string_view key) {
  static const Json nothing;
  const auto member = object.is_object() ? object.find(std::string(key)) : object.end();
  return member == object.end() ? nothing : *member;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool is_true(const Json& value) { return value.is_boolean() && value.get<bool>(); }

std::int64_t number_of(const Json& value) {
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

Place place_of(const Json& position) {
  const auto member = [&](std::string_view key) {
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(
        std::clamp(number_of(get(position, key)), std::int64_t{0}, most));
  };
  return {member("line"), member("character")};
}

Json to_json(Place place) { return {{"line", place.line}, {"character", place.character}}; }

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string answer(const Json& id, Json result) {
  return dump({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string answer_error(const Json& id, ErrorCode code, std::string_view message) {
  return dump({{"jsonrpc", "2.0"},
               {"id", id},
               {"error", {{"code", static_cast<int>(code)}, {"message", message}}}});
}

std::string notification(std::string_view method, Json params) {
  return dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string request(std::string_view id, std::string_view method, Json params) {
  return dump({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace gpulint::server
