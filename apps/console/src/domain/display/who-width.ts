const CHARACTERS = { minimum: 12, maximum: 32 };
const CHARACTER_PX = 8.4;
const ICON_AND_PADDING_PX = 42;

/** The width of a column of users: of the longest address, within bounds; what has no room is cut. */
export function whoWidth(names: readonly (string | null)[]): string {
  const longest = Math.max(CHARACTERS.minimum, ...names.map((name) => name?.length ?? 0));
  const width = Math.ceil(Math.min(longest, CHARACTERS.maximum) * CHARACTER_PX) + ICON_AND_PADDING_PX;
  // Others get what is left only after it has its own, which a minimum does where the table has room.
  return `minmax(min(${width}px, 22vw), ${width}px)`;
}
