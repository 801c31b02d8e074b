#pragma once

#include "cmake/precompiled.h"

#include <nlohmann/json.hpp>
