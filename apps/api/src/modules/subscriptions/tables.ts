import type { PlanTier } from '@cordon/contract';
import type { Generated } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    czones: { name: string; tier: PlanTier; position: number };
    plans: { name: string; label: string; tier: PlanTier; position: number; features: Json<PlanFeatures> };
    subscriptions: {
      id: Generated<string>;
      account_id: string;
      czone: string;
      plan: string;
      cname: string;
      status: Generated<'active' | 'expired' | 'suspended'>;
      expiry: NullableTimestamp;
      additional_domain_number: Generated<number>;
      additional_traffic: Generated<number>;
      names_used: Generated<number>;
      ipv6: Generated<boolean>;
      created_at: Timestamp;
    };
  }
}

export interface PlanFeatures {
  domains: number;
  traffic_gb: number;
  wildcard_domain: boolean;
  domain_upstream: boolean;
  custom_headers: boolean;
  proxy_host: boolean;
  full_websocket: boolean;
  ipv6: boolean;
}
