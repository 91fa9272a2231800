/** Marks of the shipped brands: white on a filled square, so that they show on light and dark ground alike. */

const mark = (fill: string, glyph: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${fill}"/>${glyph}</svg>`;

/** A ring of guards around what they protect. */
export const CORDON_LOGO = mark(
  '#234fd0',
  '<g fill="none" stroke="#fff" stroke-linecap="round" stroke-width="3">' +
    '<path d="M16 7a9 9 0 0 1 7.8 4.5M25 16a9 9 0 0 1-4.5 7.8M16 25a9 9 0 0 1-7.8-4.5M7 16a9 9 0 0 1 4.5-7.8"/></g>' +
    '<circle cx="16" cy="16" r="3.5" fill="#fff"/>',
);

/** Pointed stakes on a rail. */
export const PALISADE_LOGO = mark(
  '#0b6e5f',
  '<path fill="#fff" d="M9 7l2.5 3.5V25h-5V10.5zM16 7l2.5 3.5V25h-5V10.5zM23 7l2.5 3.5V25h-5V10.5z"/>' +
    '<path stroke="#fff" stroke-linecap="round" stroke-width="2.5" d="M6.5 18.5h19"/>',
);

/** A globe: a logo without a brand name. */
export const PARTNER_LOGO = mark(
  '#475569',
  '<g fill="none" stroke="#fff" stroke-linecap="round" stroke-width="2">' +
    '<circle cx="16" cy="16" r="9"/><ellipse cx="16" cy="16" rx="4" ry="9"/><path d="M7.5 13h17M7.5 19h17"/></g>',
);
