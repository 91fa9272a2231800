import { getBrand } from './brand';

/**
 * Shows or hides the live-chat widget, after each navigation, by the route's flag. The widget of a deployment listens
 * for the event; the attribute lets its style sheet hide it before its script has run.
 */
export function showLiveChat(isShown: boolean): void {
  const isVisible = isShown && getBrand().chat_enabled;
  document.documentElement.toggleAttribute('data-live-chat', isVisible);
  window.dispatchEvent(new CustomEvent('live-chat', { detail: { isVisible } }));
}
