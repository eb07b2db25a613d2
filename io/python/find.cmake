# While installing: Python finds the package SCREE_PYTHON_DIR below the prefix. Where it does
# not look there (Debian's looks into lib/python3.11/dist-packages of /usr/local) a file in
# the first of its folders below the prefix names the place; without any it is said.
cmake_policy(PUSH)
cmake_policy(VERSION 3.18)
find_program(SCREE_PYTHON python3)
if(SCREE_PYTHON AND "$ENV{DESTDIR}" STREQUAL "")
  execute_process(COMMAND ${SCREE_PYTHON} -c "import sys; print(';'.join(sys.path))"
    OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(package ${CMAKE_INSTALL_PREFIX}/${SCREE_PYTHON_DIR})
  set(chosen)
  foreach(folder IN LISTS folders)
    string(FIND "${folder}" "${CMAKE_INSTALL_PREFIX}/" at)
    if(at EQUAL 0 AND folder MATCHES "-packages$" AND NOT chosen)
      set(chosen ${folder})
    endif()
  endforeach()
  if(package IN_LIST folders)
    # It looks there.
  elseif(chosen)
    message(STATUS "Installing: ${chosen}/scree.pth")
    file(WRITE ${chosen}/scree.pth "${package}\n")
  else()
    message(STATUS "For Python: export PYTHONPATH=${package}")
  endif()
endif()
cmake_policy(POP)
