import type { ColumnType, Generated } from 'kysely';

/** migrations/0001-attack-modes.sql */
export interface UnderAttackTables {
  attack_modes: {
    scope: Generated<string>;
    account_id: string;
    route_id: string | null;
    started_by: string;
    /** ISO 8601. */
    started_at: ColumnType<string, Date | undefined, Date>;
    ends_at: ColumnType<string, Date, Date>;
  };
}
