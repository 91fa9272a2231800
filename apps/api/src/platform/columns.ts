import type { ColumnType, JSONColumnType } from 'kysely';

/** Columns as the pool reads them: times ISO 8601 UTC with milliseconds, JSON parsed. */
export type Timestamp = ColumnType<string, string | Date | undefined, string | Date>;
export type NullableTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
export type Json<T> = JSONColumnType<T & object, string, string>;
