/** Without fields that are null: Lua's JSON reads null as a value that is neither nil nor false, so the edge gets none. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null && entry !== undefined)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
}
