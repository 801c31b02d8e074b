# A clone of a repository on GitHub is at home there: SARIF links to the rules' pages in it. Sets gpulint_cloned_from, which
# stays empty for everything else, as for a tree that lies inside of another repository.
set(gpulint_cloned_from "")
find_program(GPULINT_GIT git)
mark_as_advanced(GPULINT_GIT)
if(GPULINT_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GPULINT_GIT} config --get remote.origin.url WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE gpulint_remote OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # Whoever is named before an @ stays out of it: that may be a token.
  if("${gpulint_remote}" MATCHES "^(https://([^/@]*@)?|git@|ssh://git@)github\\.com[/:]([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+)$")
    set(gpulint_cloned_from "https://github.com/${CMAKE_MATCH_3}/${CMAKE_MATCH_4}")
    string(REGEX REPLACE "\\.git$" "" gpulint_cloned_from "${gpulint_cloned_from}")
  endif()
endif()
