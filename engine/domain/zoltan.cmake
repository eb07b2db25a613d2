# SCREE_ZOLTAN_LIBRARIES and the target scree_zoltan: by the package file that Zoltan or
# Trilinos installs, by pkg-config, else by the names of header and library (Debian).
# -DZoltan_ROOT=DIR says where to look first, -DZOLTAN_INCLUDE and -DZOLTAN_LIBRARY name
# both.
if(NOT ZOLTAN_LIBRARY)
  find_package(Zoltan QUIET CONFIG)
  if(NOT Zoltan_FOUND)
    pkg_check_modules(ZOLTAN QUIET zoltan)
  endif()
endif()
if(Zoltan_FOUND)
  set(includes ${Zoltan_INCLUDE_DIRS})
  find_library(SCREE_ZOLTAN NAMES zoltan trilinos_zoltan
    HINTS ${Zoltan_LIBRARY_DIRS} ${Zoltan_DIR}/../.. REQUIRED)
  set(SCREE_ZOLTAN_LIBRARIES ${SCREE_ZOLTAN})
elseif(ZOLTAN_FOUND)
  set(includes ${ZOLTAN_INCLUDE_DIRS})
  set(SCREE_ZOLTAN_LIBRARIES ${ZOLTAN_LINK_LIBRARIES})
else()
  find_path(ZOLTAN_INCLUDE zoltan.h HINTS ${Zoltan_ROOT}/include PATH_SUFFIXES trilinos)
  find_library(ZOLTAN_LIBRARY NAMES trilinos_zoltan zoltan HINTS ${Zoltan_ROOT}/lib)
  if(NOT ZOLTAN_INCLUDE OR NOT ZOLTAN_LIBRARY)
    message(FATAL_ERROR "Zoltan, which cuts space into the parts of the ranks, was not \
found.\n  Debian: libtrilinos-zoltan-dev; elsewhere: -DZoltan_ROOT=DIR, or \
-DZOLTAN_INCLUDE=DIR -DZOLTAN_LIBRARY=FILE; without ranks: -DSCREE_MPI=OFF")
  endif()
  set(includes ${ZOLTAN_INCLUDE})
  set(SCREE_ZOLTAN_LIBRARIES ${ZOLTAN_LIBRARY})
endif()
add_library(scree_zoltan INTERFACE)
target_include_directories(scree_zoltan SYSTEM INTERFACE ${includes})
target_link_libraries(scree_zoltan INTERFACE ${SCREE_ZOLTAN_LIBRARIES})

# A Zoltan that was built for another MPI links, and then two MPIs are in one program.
# (Debian has Zoltan for Open MPI alone.)
find_program(SCREE_READELF readelf)
function(scree_names_in file kind out)
  execute_process(COMMAND ${SCREE_READELF} -d ${file} OUTPUT_VARIABLE text ERROR_QUIET)
  string(REGEX MATCHALL "\\(${kind}\\)[^\n]*\\[libmpi[^]]*\\]" names "${text}")
  list(TRANSFORM names REPLACE "^.*\\[(.*)\\]$" "\\1")
  set(${out} ${names} PARENT_SCOPE)
endfunction()
if(SCREE_READELF)
  set(here)
  foreach(library IN LISTS MPI_C_LIBRARIES)
    scree_names_in(${library} SONAME name)
    list(APPEND here ${name})
  endforeach()
  foreach(library IN LISTS SCREE_ZOLTAN_LIBRARIES)
    scree_names_in(${library} NEEDED wanted)
    foreach(name IN LISTS wanted)
      if(here AND name MATCHES "^libmpi(ch)?\\.so" AND NOT name IN_LIST here)
        message(FATAL_ERROR "${library} is built for another MPI: it wants ${name}, and \
the MPI that was found is ${here}.\n  Remedy: -DZoltan_ROOT=DIR of a Zoltan for this \
MPI, -DMPI_C_COMPILER=mpicc.openmpi for the MPI of this Zoltan (Debian), or \
-DSCREE_MPI=OFF")
      endif()
    endforeach()
  endforeach()
endif()
