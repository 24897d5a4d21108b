// For targets without flags of their own: standalone_main.cc calls this, as libFuzzer would.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return 0;
}
