# The target scree_hdf5, and HDF5_VERSION.
#
# Debian has an HDF5 for each MPI and one without, side by side, and tells them apart by
# the names of pkg-config: the one of the MPI that was found is taken. Elsewhere, and
# where HDF5_ROOT is set, CMake looks for HDF5 by itself and prefers a parallel one.
if(NOT SCREE_MPI)
  set(names hdf5-serial hdf5)
elseif("${MPI_C_LIBRARIES}" MATCHES mpich)
  set(names hdf5-mpich)
else()
  set(names hdf5-openmpi)
endif()
if(NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
  pkg_search_module(HDF5 ${names})
endif()
if(HDF5_FOUND)
  set(HDF5_C_INCLUDE_DIRS ${HDF5_INCLUDE_DIRS})
  set(HDF5_C_LIBRARIES ${HDF5_LINK_LIBRARIES})
else()
  set(HDF5_PREFER_PARALLEL ${SCREE_MPI})
  find_package(HDF5 REQUIRED COMPONENTS C)
endif()
add_library(scree_hdf5 INTERFACE)
target_include_directories(scree_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(scree_hdf5 INTERFACE ${HDF5_C_LIBRARIES})

# Later versions changed what some calls mean by their names; all of them know those of
# 1.10, the oldest that is supported.
target_compile_definitions(scree_hdf5 INTERFACE H5_USE_110_API)

# A serial HDF5 would be found out by ranks that overwrite each other's frames.
if(SCREE_MPI)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_C_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${HDF5_C_LIBRARIES} MPI::MPI_C)
  check_c_source_compiles("#include <hdf5.h>
#include <mpi.h>
int main(void) {
    return H5Pset_fapl_mpio(0, MPI_COMM_SELF, MPI_INFO_NULL) < 0;
}" SCREE_HDF5_IS_PARALLEL)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(NOT SCREE_HDF5_IS_PARALLEL)
    message(FATAL_ERROR "HDF5 ${HDF5_VERSION} was found, but it is not built for this \
MPI.\n  Debian: libhdf5-openmpi-dev or libhdf5-mpich-dev; elsewhere: -DHDF5_ROOT=DIR of \
a parallel HDF5; without ranks: -DSCREE_MPI=OFF")
  endif()
endif()
