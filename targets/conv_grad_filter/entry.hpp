#pragma once
#include "impl/conv_grad_filter.hpp"
#include "targets/conv_grad_filter/admission.hpp"

namespace wgradcheck::targets {

/// A call's tensors as its entry point takes them: T is float or impl::Half.
template <class T, class Element>
impl::Tensors<T> tensors(const Element* dy, const Element* x, Element* dw, const Element* bias) {
  static_assert(sizeof(T) == sizeof(Element));
  return {reinterpret_cast<const T*>(dy), reinterpret_cast<const T*>(x), reinterpret_cast<T*>(dw),
          reinterpret_cast<const T*>(bias)};
}

/// A `_p` entry point.
template <class T>
void call_private(const impl::Tensors<T>& t, const ConvParameter* param) {
  if (const auto call = admit({t.dy, t.x, t.dw, t.bias}, param, sizeof(T), 1))
    impl::run_private(*call, t, static_cast<float*>(param->workspace_));
}

/// An `_s` entry point.
template <class T>
void call_shared(const impl::Tensors<T>& t, const ConvParameter* param, int core_mask) {
  const auto place = place_in(core_mask);
  if (!place) return;
  if (const auto call = admit({t.dy, t.x, t.dw, t.bias}, param, sizeof(T), place->count))
    impl::run_shared(*call, t, static_cast<float*>(param->workspace_), place->id,
                     [n = static_cast<int>(place->count)] { sys_bar(0, n); });
}

}  // namespace wgradcheck::targets
