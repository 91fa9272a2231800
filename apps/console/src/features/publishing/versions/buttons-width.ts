const LATIN_PX = 7.5;
const CJK_PX = 14;
/** Padding and border, on touch screens too. */
const BUTTON_PX = 26;
const ICON_PX = 22;
const GAP_PX = 4;
const ENDS_PX = 16;

interface LabelledButton {
  readonly label: string;
  readonly hasIcon?: boolean;
}

const buttonPx = ({ label, hasIcon }: LabelledButton): number =>
  [...label].reduce((sum, letter) => sum + (letter > '\u2e80' ? CJK_PX : LATIN_PX), BUTTON_PX) +
  (hasIcon ? ICON_PX : 0);

/** Where there is no room for more, the buttons of a row stand below each other. */
const LEAST_PX = 210;

/** Track that has room for the widest row of small buttons. */
export function buttonsWidth(rows: readonly (readonly LabelledButton[])[]): string {
  const widths = rows.map((row) => row.reduce((sum, button) => sum + buttonPx(button) + GAP_PX, 0));
  const most = Math.ceil(Math.max(0, ...widths)) + ENDS_PX;
  return `minmax(${Math.min(most, LEAST_PX)}px, ${most}px)`;
}
