# The library that is installed: engine, models and files in one, as libscree.a and,
# unless BUILD_SHARED_LIBS is off, libscree.so. The program and the tests link the parts,
# whose inner names a shared library does not show.
include(CMakePackageConfigHelpers)
set(SCREE_HEADERS engine/scree.h engine/scree_base.h engine/scree_walls.h engine/scree_solver.h engine/scree_fc3d.h engine/scree_generate.h
  engine/scree_forces.h engine/scree_joints.h engine/scree_model.h engine/scree_ranks.h io/scree_case.h io/scree_results.h)
set(SCREE_DEPENDENCIES ${HDF5_C_LIBRARIES} ${YAML_LINK_LIBRARIES}
  ${QHULL_LINK_LIBRARIES} ${AMD_LIBRARY})
if(SCREE_MPI)
  list(APPEND SCREE_DEPENDENCIES ${SCREE_ZOLTAN_LIBRARIES} ${MPI_C_LIBRARIES})
endif()
list(APPEND SCREE_DEPENDENCIES ${OpenMP_C_FLAGS} ${CMAKE_DL_LIBS} m)
list(REMOVE_DUPLICATES SCREE_DEPENDENCIES)

function(scree_installed target kind name)
  add_library(${target} ${kind} $<TARGET_OBJECTS:scree> $<TARGET_OBJECTS:scree_models>
    $<TARGET_OBJECTS:scree_io>)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME scree EXPORT_NAME ${name}
    LINKER_LANGUAGE C)
  target_include_directories(${target}
    INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${target} EXPORT scree-targets)
endfunction()

# The names that the shared library shows: those that the headers declare, and what it
# puts between HDF5 and MPI (io/hdf5/hdf5_mpi.c). Hidden visibility alone does not cover
# functions that the compiler makes in several versions.
set(names)
foreach(header IN LISTS SCREE_HEADERS)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REGEX MATCHALL "\n[a-z][^\n;(]*scree_[a-z0-9_]+\\(" found "${text}")
  list(FILTER found EXCLUDE REGEX "^\n(typedef|static) ")
  list(TRANSFORM found REPLACE "^.*(scree_[a-z0-9_]+)\\($" "\\1")
  list(APPEND names ${found})
endforeach()
list(JOIN names ";\n" names)
file(WRITE ${CMAKE_BINARY_DIR}/scree.map
  "{\nglobal:\n${names};\nMPI_File_*;\nlocal: *;\n};\n")

# Versions with the same major and minor number go together.
if(BUILD_SHARED_LIBS)
  scree_installed(scree_shared SHARED scree)
  scree_installed(scree_static STATIC scree_static)
  set_target_properties(scree_shared PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  foreach(library IN LISTS SCREE_DEPENDENCIES ITEMS scree_hardened)
    target_link_libraries(scree_shared PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  target_link_options(scree_shared PRIVATE
    LINKER:--version-script=${CMAKE_BINARY_DIR}/scree.map)
  set_target_properties(scree_shared PROPERTIES
    LINK_DEPENDS ${CMAKE_BINARY_DIR}/scree.map)
  if(SCREE_SANITIZE)
    target_link_options(scree_shared PRIVATE -fsanitize=${SCREE_SANITIZE})
  endif()
else()
  scree_installed(scree_static STATIC scree)
endif()

# The headers alone, for libraries of models: the program that loads them is the rest.
add_library(scree_model_headers INTERFACE)
set_target_properties(scree_model_headers PROPERTIES EXPORT_NAME model)
target_include_directories(scree_model_headers
  INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS scree_model_headers EXPORT scree-targets)

install(FILES ${SCREE_HEADERS} TYPE INCLUDE)
install(EXPORT scree-targets NAMESPACE scree::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
configure_file(engine/scree-config.cmake.in scree-config.cmake @ONLY)
write_basic_package_version_file(scree-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/scree-config.cmake
  ${CMAKE_BINARY_DIR}/scree-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)

# From <libdir>/pkgconfig up to the prefix, so that the file moves with the tree.
file(RELATIVE_PATH SCREE_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(SCREE_PC_LIBRARIES ${SCREE_DEPENDENCIES})
list(TRANSFORM SCREE_PC_LIBRARIES REPLACE "^([a-z]+)$" "-l\\1")
list(JOIN SCREE_PC_LIBRARIES " " SCREE_PC_LIBRARIES)
if(NOT BUILD_SHARED_LIBS) # then they are needed by everyone
  set(SCREE_PC_ALWAYS ${SCREE_PC_LIBRARIES})
endif()
configure_file(engine/scree.pc.in scree.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/scree.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
