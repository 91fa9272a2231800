/** Columns of an import file, in the order of the template. */
export const IMPORT_COLUMNS = [
  'domain_name',
  'protocol',
  'upstreams',
  'status',
  'group',
  'remarks',
  'shadow_domains',
] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];
/** Columns that each row of a call has; none of their cells can be nothing. */
export const IMPORT_COLUMNS_REQUIRED = ['domain_name', 'protocol', 'upstreams', 'status'] as const;
/** Columns that a file has to have; the others may be left out as a whole. */
export const IMPORT_HEADERS_REQUIRED = ['domain_name', 'protocol', 'upstreams'] as const;
/** Status of the rows of a file that lacks the column: nothing is served that was not asked for. */
export const IMPORT_STATUS_DEFAULT = 'deactivated';

/** Rows of one file. */
export const IMPORT_ROWS_MAX = 5_000;
/** Size of a call that carries the rows of a file: 800 bytes for each of the most. */
export const IMPORT_BODY_BYTES_MAX = 4 * 1024 * 1024;
/** Characters of one cell. */
export const IMPORT_CELL_CHARACTERS_MAX = 2_000;
/** Stands for "nothing" in a column that may be left out: no cell may be empty (spec section 5, "Import files"). */
export const IMPORT_NONE = '-';
