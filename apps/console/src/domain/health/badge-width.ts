/** About as wide as a text of a badge is: Chinese letters are twice as wide as others. */
export const badgeTextPx = (text: string): number =>
  [...text].reduce((width, letter) => width + (letter > '\u2e80' ? 12 : 6.6), 0);
