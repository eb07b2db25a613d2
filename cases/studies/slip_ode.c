#include "cases/studies/study.h"
