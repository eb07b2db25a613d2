# The build without MPI: few tests of its own, since what does not depend on ranks is
# tested in the other build.
set(SCREE_PEER "" CACHE FILEPATH "The program of a build with MPI, to compare with")
add_custom_target(alone DEPENDS scree_program test_base test_sinks)
set_property(TEST unit/base io/sinks APPEND PROPERTY LABELS alone)
if(SCREE_PEER)
  add_test(NAME mpi/alone COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_SOURCE_DIR}/mpi/program/alone.py $<TARGET_FILE:scree_program>
    ${SCREE_PEER})
  set_tests_properties(mpi/alone PROPERTIES LABELS "mpi;alone" TIMEOUT 600)
else()
  message(STATUS "SCREE_PEER is not set: test mpi/alone is left out")
endif()
