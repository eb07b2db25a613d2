# What is installed beside program and library, and the Debian packages (cpack -G DEB):
# scree, and scree-catalyst, which alone needs ParaView.
install(DIRECTORY cases/ DESTINATION share/scree/cases
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.stl" PATTERN "*.obj" PATTERN "*.asc"
  PATTERN "commands" EXCLUDE PATTERN "models" EXCLUDE PATTERN "studies" EXCLUDE
  PATTERN "pictures" EXCLUDE PATTERN "catalyst" EXCLUDE PATTERN "examples" EXCLUDE
  PATTERN "cluster" EXCLUDE PATTERN "completion" EXCLUDE PATTERN "packaging" EXCLUDE
  PATTERN "templates" EXCLUDE PATTERN "tutorial" EXCLUDE)
install(DIRECTORY cases/cluster cases/examples cases/tutorial
  DESTINATION share/scree/cases USE_SOURCE_PERMISSIONS)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION share/doc/scree)
install(FILES LICENSE DESTINATION share/doc/scree RENAME copyright)

# Python needs the shared library, and finds it beside itself in the same tree.
set(SCREE_PYTHON_DIR lib/python3/dist-packages CACHE STRING
  "Where the Python package goes, below the prefix")
if(BUILD_SHARED_LIBS)
  install(DIRECTORY io/python/scree DESTINATION ${SCREE_PYTHON_DIR}
    FILES_MATCHING PATTERN "*.py")
  install(CODE "set(SCREE_PYTHON_DIR ${SCREE_PYTHON_DIR})")
  install(SCRIPT io/python/find.cmake)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME scree)
set(CPACK_PACKAGE_CONTACT "Scree developers <developers@scree.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL scree)
if(TARGET scree_catalyst)
  list(APPEND CPACK_COMPONENTS_ALL catalyst)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_SCREE_PACKAGE_NAME scree)
set(CPACK_DEBIAN_SCREE_DESCRIPTION "${PROJECT_DESCRIPTION}
Rigid bodies of many shapes with Signorini's, Coulomb's and Newton's laws, on one
machine or many. The program scree, the library, its headers, the Python package
and ready cases.")
set(CPACK_DEBIAN_SCREE_PACKAGE_RECOMMENDS "python3-numpy")
if(SCREE_MPI)
  string(APPEND CPACK_DEBIAN_SCREE_PACKAGE_RECOMMENDS ", mpi-default-bin")
endif()
set(CPACK_DEBIAN_SCREE_PACKAGE_SUGGESTS "scree-catalyst, python3-matplotlib, gcc, pkg-config")
set(CPACK_DEBIAN_CATALYST_PACKAGE_NAME scree-catalyst)
set(CPACK_DEBIAN_CATALYST_DESCRIPTION "In situ pictures of runs of Scree
The plug-in that hands the state of a run to ParaView while it is running.")
set(CPACK_DEBIAN_CATALYST_PACKAGE_DEPENDS "scree (= ${PROJECT_VERSION}), python3-paraview")
include(CPack)
