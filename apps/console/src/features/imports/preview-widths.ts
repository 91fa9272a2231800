import type { ImportColumn } from '@cordon/contract';
import type { ShownRow } from './table-state';

/** Columns with few values are chosen, not typed. */
export const CHOICES: Partial<Record<ImportColumn, readonly string[]>> = {
  protocol: ['http', 'https', 'http_https'],
  status: ['running', 'deactivated'],
};

export const CELL_PADDING_PX = 4;
/** Whatever is chosen ends before the arrow. */
export const ARROW_PX = 21;
/** Of the button that removes a row. */
export const ACTIONS_PX = 40;
/** Of the table in a window of 1280 px. */
const TABLE_PX = 1022;
/** Of the sign before the number of a row, with the padding before both, and of a digit. */
const SIGN_PX = 41;
const DIGIT_PX = 8.3;
/** Of a cell and of its input, whose borders are 1 px. */
const PADDING_PX = 16 + 2 * (CELL_PADDING_PX + 1);
const paddingOf = (column: ImportColumn) => PADDING_PX + (CHOICES[column] ? ARROW_PX - CELL_PADDING_PX : 0);
const SHARED_PX = 400;

/**
 * Room for the text of a column at least (its name), and what it has for itself where others are full: together what a window of
 * 1280 px has.
 */
const ROOM: Record<ImportColumn, { readonly least: number; readonly own: number }> = {
  domain_name: { least: 80, own: 166 },
  protocol: { least: 52, own: 62 },
  // An IPv4 address with its port.
  upstreams: { least: 80, own: 152 },
  status: { least: 40, own: 72 },
  group: { least: 60, own: 84 },
  remarks: { least: 54, own: 57 },
  shadow_domains: { least: 60, own: 114 },
};
/** Which have what others leave: what is broken within a part is read worst. */
const FIRST: readonly ImportColumn[] = [
  'upstreams',
  'status',
  'protocol',
  'domain_name',
  'shadow_domains',
  'group',
  'remarks',
];

/** Of one in the face of addresses. */
const CODE_CHARACTER_PX = 7.23;
const CHARACTER_PX = 7.5;
const CHARACTERS_PX: readonly (readonly [RegExp, number])[] = [
  [/[\u2e80-\uffef]/, 13],
  [/[mwA-Z@]/, 11],
  [/[ijl.,;:' ]/, 3.7],
  [/[frt/-]/, 5.2],
];
/** Few letters are not as wide as they are on the average. */
const SHORT_TEXT_PX = 4;

/** About as wide as the text is. */
const widthOfText = (text: string) =>
  [...text].reduce((sum, one) => sum + (CHARACTERS_PX.find(([kind]) => kind.test(one))?.[1] ?? CHARACTER_PX), 0);

/** The longest part that must not be cut: a cell with several targets or names shows the first of them whole; long names break at hyphens. */
const partsOf = (text: string) => text.split(/(?<=[;,])(?=\S)|\s+|(?<=-)/);

/** As narrow as two lines of words can be. */
function halfOf(text: string): number {
  const words = text.split(/(?<=\s)/);
  const halves = words.map((_, index) =>
    Math.max(widthOfText(words.slice(0, index).join('').trimEnd()), widthOfText(words.slice(index).join(''))),
  );
  return Math.min(...halves) + 4;
}

function needOf(column: ImportColumn, text: string): number {
  if (CHOICES[column]) return widthOfText(text) + SHORT_TEXT_PX;
  if (column === 'group' || column === 'remarks') return halfOf(text);
  const parts = partsOf(text);
  return Math.max(
    ...parts.map((part) => (column === 'upstreams' ? part.length * CODE_CHARACTER_PX : widthOfText(part))),
  );
}

const textsOf = (rows: readonly ShownRow[], column: ImportColumn) => rows.map(({ cells }) => cells[column] ?? '');

/** Of the numbers of rows. */
export function rowPx(rows: readonly Pick<ShownRow, 'row'>[]): number {
  const digits = Math.max(2, ...rows.map(({ row }) => String(row).length));
  return Math.ceil(SIGN_PX + digits * DIGIT_PX);
}

/** Room for the text of each column: what its longest part needs, or its own; where not all have both, in turns what is left. */
function roomOfEach(columns: readonly ImportColumn[], rows: readonly ShownRow[]): ReadonlyMap<ImportColumn, number> {
  const needs = new Map(
    columns.map((column) => {
      const needed = textsOf(rows, column).map((text) => needOf(column, text));
      return [column, Math.ceil(Math.max(ROOM[column].least, ...needed))];
    }),
  );
  const rooms = new Map([...needs].map(([column, need]) => [column, Math.min(need, ROOM[column].own)]));
  const sumOf = (of: (column: ImportColumn) => number) => columns.reduce((sum, column) => sum + of(column), 0);
  let left = TABLE_PX - ACTIONS_PX - rowPx(rows) - sumOf(paddingOf) - sumOf((column) => rooms.get(column) ?? 0);
  for (const column of left < 0 ? (['domain_name'] as const) : FIRST.filter((one) => rooms.has(one))) {
    const room = rooms.get(column) ?? 0;
    const more = Math.min(left, (needs.get(column) ?? 0) - room);
    rooms.set(column, room + more);
    left -= more;
  }
  return rooms;
}

/** The tracks of columns beside each other; what is longer than its room gets a share of what a wider window has. */
export function columnWidths(columns: readonly ImportColumn[]) {
  let known: { rows: readonly ShownRow[]; rooms: ReadonlyMap<ImportColumn, number> } | undefined;
  return (column: ImportColumn, rows: readonly ShownRow[]): string => {
    if (known?.rows !== rows) known = { rows, rooms: roomOfEach(columns, rows) };
    const least = (known.rooms.get(column) ?? 0) + paddingOf(column);
    if (CHOICES[column]) return `${least}px`;
    const longest = Math.max(...textsOf(rows, column).map(widthOfText), ROOM[column].least);
    return `minmax(${least}px, ${Math.round(Math.min(longest, SHARED_PX))}fr)`;
  };
}
