import type { DiagnosisItem, HealthFinding } from '@cordon/contract';
import type { Generated } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    /** What only a look can know of a domain; rows come and go by triggers of `routes`. */
    route_looks: {
      route_id: string;
      account_id: string;
      /** Null: it is looked at only when a customer asks. */
      due_at: NullableTimestamp;
      /** Its name and certificate; null: with the next look. */
      name_due_at: NullableTimestamp;
      looked_at: NullableTimestamp;
      version: number | null;
      domain_name: string | null;
      ownership_state: 'pending' | 'verified' | null;
      certificate_id: string | null;
      findings: Json<readonly HealthFinding[]>;
      certificate_expires_at: NullableTimestamp;
      /** Of `version`, as `origins_looked_at` found them. */
      origins: Generated<readonly DiagnosisItem[]>;
      origins_looked_at: NullableTimestamp;
    };
    /** Domains whose visitors got server errors in the last minutes. */
    route_errors: {
      route_id: string;
      account_id: string;
      requests: number;
      failed: number;
      since: Timestamp;
      measured_at: Generated<string>;
    };
    /** Domains that challenged visitors in the last minutes without one that passed. */
    route_unmet_challenges: {
      route_id: string;
      account_id: string;
      challenged: number;
      challenged_at: Timestamp;
      since: Timestamp;
      measured_at: Generated<string>;
    };
    /** How many domains are in which class of `health_class`; kept by triggers of `routes`. */
    route_health_counts: { account_id: string; subscription_id: string; class: number; routes: number };
  }
}
