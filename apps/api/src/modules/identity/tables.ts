import type { NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    /** What the embedded provider keeps of its models. */
    oidc_state: {
      model: string;
      id_hash: Buffer;
      payload: Buffer;
      grant_id: string | null;
      session_uid: string | null;
      subject: string | null;
      consumed_at: NullableTimestamp;
      expires_at: Timestamp;
    };
    sign_in_attempts: { key: Buffer; attempts: number; ends_at: Timestamp };
    sign_in_addresses: { key: Buffer; expires_at: Timestamp };
  }
}
