declare global {
  /** Read by Base UI: what closes is gone at once, in place of a look for animations in the next frame. */
  var BASE_UI_ANIMATIONS_DISABLED: boolean;
}
/** Who wants less motion gets none (tokens.css). */
const lessMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
const followMotion = () => {
  globalThis.BASE_UI_ANIMATIONS_DISABLED = lessMotion.matches;
};
followMotion();
lessMotion.addEventListener('change', followMotion);

export {};
