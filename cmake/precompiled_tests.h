#pragma once

#include "cmake/precompiled.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
