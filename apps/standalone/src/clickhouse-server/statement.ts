/** What the server must know of a statement's text before the engine sees it. */

/** An INSERT whose rows arrive as a body, apart from the statement. */
export interface BodyInsert {
  readonly table: string;
  readonly columns: string[] | undefined;
  /** The statement's own `SETTINGS` clause, unparsed; empty when there is none. */
  readonly settings: string;
  readonly format: string;
}

const NAME = '(?:`[^`]+`|"[^"]+"|[A-Za-z_][A-Za-z0-9_]*)';
const BODY_INSERT = new RegExp(
  `^\\s*INSERT\\s+INTO\\s+(?:TABLE\\s+)?(${NAME}(?:\\.${NAME})?)` +
    '\\s*(?:\\(([^()]*)\\))?\\s*(?:SETTINGS\\s+([\\s\\S]+?))?\\s*FORMAT\\s+([A-Za-z]+)\\s*;?\\s*$',
  'i',
);
const TRAILING_FORMAT = /\bFORMAT\s+([A-Za-z][A-Za-z0-9_]*)\s*(?:SETTINGS\s[\s\S]*)?;?\s*$/i;

/** The parts of `INSERT INTO t (a, b) SETTINGS … FORMAT F`, or undefined for any other statement. */
export function parseBodyInsert(statement: string): BodyInsert | undefined {
  const match = BODY_INSERT.exec(statement);
  if (!match) return undefined;
  const [, table = '', columns, settings = '', format = ''] = match;
  return {
    table: unquote(table),
    columns: columns?.split(',').map((column) => unquote(column.trim())),
    settings: settings.trim(),
    format,
  };
}

/** The output format the statement names at its end; a format named inside a string or comment elsewhere does not count. */
export function outputFormat(statement: string): string | undefined {
  return TRAILING_FORMAT.exec(statement)?.[1];
}

/** `name = 'value'` pairs for one SET statement. Names that are no identifier are refused: they come from a URL. */
export function settingAssignments(settings: ReadonlyMap<string, string>): string {
  return [...settings]
    .map(([name, value]) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new RangeError(`setting name ${JSON.stringify(name)}`);
      return `${name} = ${quote(value)}`;
    })
    .join(', ');
}

/** A single-quoted SQL literal. */
export function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function unquote(name: string): string {
  return name.replaceAll(/[`"]/g, '');
}
