# The commit that is built, for --version: of the clone, or of the sources as `git archive` and GitHub pack them, which fill
# in commit.txt. Sets gpulint_commit and gpulint_commit_date, empty where neither says.
set(gpulint_commit "")
set(gpulint_commit_date "")
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/commit.txt gpulint_commit_line)
if(GPULINT_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GPULINT_GIT} log -1 "--format=%H %cs" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE gpulint_commit_line OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # It grows with each commit.
  execute_process(COMMAND ${GPULINT_GIT} rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE gpulint_head_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(gpulint_head_log "${gpulint_head_log}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  if(EXISTS "${gpulint_head_log}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${gpulint_head_log}")
  endif()
endif()
if("${gpulint_commit_line}" MATCHES "^([0-9a-f]+) ([0-9-]+)$")
  string(SUBSTRING ${CMAKE_MATCH_1} 0 12 gpulint_commit)
  set(gpulint_commit_date ${CMAKE_MATCH_2})
endif()
