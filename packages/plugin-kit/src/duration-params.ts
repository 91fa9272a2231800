const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** A time span as parameters of a message: its number in the greatest unit that needs no fraction, `d`, `h`, `m` or `s`. */
export function durationParams(seconds: number): { readonly number: number; readonly unit: string } {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? ['s', 1];
  return { number: seconds / size, unit };
}
