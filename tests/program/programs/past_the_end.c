int main(void) {
  if (get_core_id() == 1) *(volatile float*)0x90000010 = 1;
  sys_bar(0, 2);
  return 0;
}
