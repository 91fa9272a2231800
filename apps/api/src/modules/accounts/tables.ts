import type { Generated } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    accounts: {
      id: Generated<string>;
      name: string;
      time_zone: Generated<string>;
      brand: Generated<string>;
      suspended_at: NullableTimestamp;
      suspended_reason: string | null;
      created_at: Timestamp;
    };
    users: {
      id: Generated<string>;
      account_id: string;
      subject: string;
      email: string;
      name: Generated<string>;
      locale: 'en' | 'zh' | null;
      roles: string[];
      password_hash: string | null;
      email_verified_at: NullableTimestamp;
      terms_version: string | null;
      terms_accepted_at: NullableTimestamp;
      disabled_at: NullableTimestamp;
      created_at: Timestamp;
    };
    api_tokens: {
      id: Generated<string>;
      account_id: string;
      user_id: string | null;
      name: string;
      token_hash: Buffer;
      last_four: string;
      scopes: string[];
      created_at: Timestamp;
      expires_at: Timestamp;
      revoked_at: NullableTimestamp;
      issued_by: 'user' | 'operator';
      last_used_at: NullableTimestamp;
      last_used_from: string | null;
    };
  }
}
