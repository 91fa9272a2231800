import type { ColumnType, Generated } from 'kysely';

/** migrations/0001-bans.sql, 0002-lifted-bans.sql, 0004-lifts-by-transaction.sql, 0005-lifts-of-many.sql */
export interface BanTables {
  bans: {
    id: Generated<string>;
    account_id: string;
    route_id: string | null;
    scope: Generated<string>;
    network: string;
    range: Generated<string>;
    plugin: string | null;
    reason: string | null;
    request_id: string | null;
    note: string;
    banned_by: string;
    /** ISO 8601. */
    banned_at: ColumnType<string, Date | undefined, Date>;
    ends_at: ColumnType<string | null, Date | null, Date | null>;
  };
  lifted_bans: {
    id: string;
    account_id: string;
    route_id: string | null;
    network: string;
    plugin: string | null;
    reason: string | null;
    request_id: string | null;
    note: string;
    banned_by: string;
    banned_at: ColumnType<string, Date, Date>;
    ends_at: ColumnType<string | null, Date | null, Date | null>;
    lifted_at: ColumnType<string, Date | undefined, Date>;
    lifted_txid: Generated<number | null>;
    lift_id: string | null;
  };
}
