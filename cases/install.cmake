# What is installed beside program and library.
install(DIRECTORY cases/ DESTINATION share/scree/cases
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.stl" PATTERN "*.obj" PATTERN "*.asc"
  PATTERN "*.txt" PATTERN "commands" EXCLUDE PATTERN "models" EXCLUDE
  PATTERN "studies" EXCLUDE PATTERN "pictures" EXCLUDE PATTERN "catalyst" EXCLUDE)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC)
