/** For the error below a field, and for what the bar itself is about to say of it. */
const ROOM_PX = 64;

/**
 * Has what takes the focus scrolled to above `bar`, which sticks to the lower edge of the window, however high it is.
 * Given as its `ref`.
 */
export function keepFocusAbove(bar: HTMLElement | null) {
  if (!bar) return;
  const { style } = document.documentElement;
  const measure = () => {
    style.scrollPaddingBottom = `${bar.offsetHeight + ROOM_PX}px`;
  };
  const observer = new ResizeObserver(measure);
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.scrollPaddingBottom = '';
  };
}
