/** What assistive technology reads after a field's name: its error first, then its hint. */
export const accessibleDescription = (field: Element): string =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');
