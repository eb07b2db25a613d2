# Writes version.c with the commit of the moment of building; touches it only
# when something changed, so that an unchanged tree does not relink.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(COMMIT "unknown")
endif()
configure_file(${IN} ${OUT} @ONLY)
