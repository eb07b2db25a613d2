# Writes a C file that holds a text file as the string NAME, for programs that need it
# wherever they are. Arguments: IN, OUT, NAME.
file(READ "${IN}" text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
file(WRITE "${OUT}" "#include \"io/report/view_script.h\"\n\nconst char ${NAME}[] =\n    \"${text}\";\n")
