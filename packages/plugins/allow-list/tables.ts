import type { ColumnType, Generated } from 'kysely';

/** migrations/0001-allow-list.sql */
export interface AllowListTables {
  allowed_networks: {
    id: Generated<string>;
    account_id: string;
    network: string;
    range: Generated<string>;
    note: string;
    added_by: string;
    /** ISO 8601. */
    added_at: ColumnType<string, Date | undefined, Date>;
    ends_at: ColumnType<string | null, Date | null, Date | null>;
  };
  removed_networks: {
    id: string;
    removal_id: string;
    account_id: string;
    network: string;
    note: string;
    added_by: string;
    added_at: ColumnType<string, Date, Date>;
    ends_at: ColumnType<string | null, Date | null, Date | null>;
    removed_at: ColumnType<string, Date | undefined, Date>;
  };
}
