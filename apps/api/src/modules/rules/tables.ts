import type { PluginEntry, RuleLists } from '@cordon/contract';
import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    rules: {
      id: Generated<string>;
      account_id: string;
      subscription_id: string;
      name: string;
      description: string;
      plugins: Json<PluginEntry[]>;
      lists: Generated<RuleLists>;
      revision: Generated<number>;
      created_at: Timestamp;
      updated_at: Timestamp;
      updated_by: string | null;
      search: Generated<string>;
    };
    rule_revisions: {
      rule_id: string;
      revision: number;
      plugins: Json<PluginEntry[]>;
      lists: Generated<RuleLists>;
      created_at: Timestamp;
    };
    rule_applications: {
      rule_id: string;
      route_id: string;
      account_id: string;
      revision: number;
      applied_at: Timestamp;
      applied_by: string | null;
    };
  }
}
