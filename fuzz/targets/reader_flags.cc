// The one flag of the targets that read documents.
#include "fuzz/targets/crash_on.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) passdiff::take_crash_flag((*argv)[i]);
  return 0;
}
