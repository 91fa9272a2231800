import type { ColumnType, Generated } from 'kysely';

/** migrations */
export interface UnderAttackTables {
  attack_modes: {
    scope: Generated<string>;
    account_id: string;
    route_id: string | null;
    started_by: string;
    /** ISO 8601. */
    started_at: ColumnType<string, Date | undefined, Date>;
    ends_at: ColumnType<string, Date, Date>;
    requests_per_minute: number | null;
    usual_per_minute: number | null;
  };
  attack_pauses: {
    route_id: string;
    until: ColumnType<string, Date, Date>;
    /** Whose end it came with: a route, or the account. */
    ended_scope: string;
  };
}
