# The target scree_catalyst, if ParaView's headers, libraries and Python are here.
foreach(version 5.11 5.12 5.13 6.0 6.1)
  find_path(PARAVIEW_INCLUDE vtkInSituInitializationHelper.h
    PATH_SUFFIXES paraview-${version})
  if(PARAVIEW_INCLUDE)
    break()
  endif()
endforeach()
if(NOT PARAVIEW_INCLUDE)
  return()
endif()
string(REGEX REPLACE ".*paraview-" "" version ${PARAVIEW_INCLUDE})

set(libraries)
foreach(name vtkPVInSitu vtkPVPythonCatalyst vtkRemotingServerManager
    vtkRemotingCore vtkPVVTKExtensionsCore vtkPVVTKExtensionsMisc
    vtkPythonInterpreter vtkParallelMPI vtkCommonExecutionModel
    vtkCommonDataModel vtkCommonCore vtksys)
  find_library(PARAVIEW_${name} ${name}-pv${version})
  if(NOT PARAVIEW_${name})
    message(STATUS "ParaView ${version} without ${name}: not used")
    return()
  endif()
  list(APPEND libraries ${PARAVIEW_${name}})
endforeach()

# The Python that ParaView was built for; its own libraries do not ask for it.
find_library(PARAVIEW_PYTHON NAMES libpython3.11.so.1.0 libpython3.13.so.1.0
  libpython3.12.so.1.0)
if(NOT PARAVIEW_PYTHON)
  message(STATUS "ParaView ${version} without libpython: not used")
  return()
endif()

enable_language(CXX)
add_library(scree_catalyst MODULE io/catalyst/catalyst_paraview.cpp)
target_include_directories(scree_catalyst SYSTEM PRIVATE ${PARAVIEW_INCLUDE})
target_compile_features(scree_catalyst PRIVATE cxx_std_17)
target_compile_options(scree_catalyst PRIVATE -Wall -Wextra
  $<$<BOOL:${SCREE_WERROR}>:-Werror>)
target_compile_definitions(scree_catalyst PRIVATE
  OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
target_link_libraries(scree_catalyst PRIVATE ${libraries}
  -Wl,--no-as-needed ${PARAVIEW_PYTHON})
message(STATUS "in situ with ParaView ${version}")
