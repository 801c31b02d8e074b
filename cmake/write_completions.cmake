# cmake -DGPULINT=… -DFOLDER=… -P: writes the completion scripts under the names that the shells look for.
file(MAKE_DIRECTORY ${FOLDER})
foreach(pair IN ITEMS bash=gpulint zsh=_gpulint fish=gpulint.fish)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 shell)
  list(GET pair 1 name)
  execute_process(COMMAND ${GPULINT} completions ${shell}
    OUTPUT_FILE ${FOLDER}/${name} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
