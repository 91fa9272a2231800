import { accountOperations } from './operations/accounts.ts';
import { batchOperations } from './operations/batches.ts';
import { bulkOperations } from './operations/bulk.ts';
import { copyOperations } from './operations/copies.ts';
import { diagnosisOperations } from './operations/diagnosis.ts';
import { domainPauseOperations } from './operations/domain-pause.ts';
import { domainOperations } from './operations/domains.ts';
import { edgeNodeOperations } from './operations/edge-nodes.ts';
import { findDomainOperations } from './operations/find-domains.ts';
import { groupOperations } from './operations/groups.ts';
import { importOperations } from './operations/import.ts';
import { originOperations } from './operations/origins.ts';
import { ruleOperations } from './operations/rules.ts';
import { shadowDomainOperations } from './operations/shadow-domains.ts';
import { subscriptionConfigOperations } from './operations/subscription-config.ts';
import { trafficOperations } from './operations/traffic.ts';
import { versionOperations } from './operations/versions.ts';

/** Every call of the API by its name. */
export const operations = {
  ...accountOperations,
  ...domainOperations,
  ...versionOperations,
  ...batchOperations,
  ...bulkOperations,
  ...groupOperations,
  ...ruleOperations,
  ...shadowDomainOperations,
  ...domainPauseOperations,
  ...subscriptionConfigOperations,
  ...copyOperations,
  ...diagnosisOperations,
  ...findDomainOperations,
  ...originOperations,
  ...importOperations,
  ...trafficOperations,
  ...edgeNodeOperations,
} as const;
export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const API_BASE = '/api/v1/';
