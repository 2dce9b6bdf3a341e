int main(void) {
  volatile int* nothing = (int*)4;
  return *nothing;
}
