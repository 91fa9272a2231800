type Path = readonly PropertyKey[];

/** A row of texts, such as name and value, none of which is filled in. */
function isEmptyRow(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const cells = Object.values(value);
  return cells.length > 0 && cells.every((cell) => typeof cell === 'string' && cell.trim() === '');
}

/** A configuration as it is saved: a row that was added and never filled in is none. */
export function withoutEmptyRows<Value>(value: Value): Value {
  // A list of thousands of texts stays the very list it is.
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value;
  if (Array.isArray(value))
    return value.filter((entry) => !isEmptyRow(entry)).map((entry) => withoutEmptyRows(entry)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, one, withoutEmptyRows(one)] as const);
  if (entries.every(([, before, after]) => before === after)) return value;
  return Object.fromEntries(entries.map(([name, , after]) => [name, after])) as Value;
}

/** What a configuration has at a path of an error. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inside, step) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, step) : undefined),
    value,
  );
}

export const isInEmptyRow = (config: unknown, path: Path): boolean =>
  path.length > 1 && isEmptyRow(valueAt(config, path.slice(0, -1)));
