import { accountOperations } from '../operations/accounts.ts';
import { auditOperations } from '../operations/audit.ts';
import { batchOperations } from '../operations/batches.ts';
import { brandOperations } from '../operations/brands.ts';
import { cachingOperations } from '../operations/caching.ts';
import { diagnosisOperations } from '../operations/diagnosis.ts';
import { domainOperations } from '../operations/domains.ts';
import { edgeNodeOperations } from '../operations/edge-nodes.ts';
import { groupOperations } from '../operations/groups.ts';
import { healthOperations } from '../operations/health.ts';
import { identityOperations } from '../operations/identity.ts';
import { importOperations } from '../operations/imports.ts';
import { nameOperations } from '../operations/names.ts';
import { originOperations } from '../operations/origins.ts';
import { pluginServerOperations } from '../operations/plugin-servers.ts';
import { publishingOperations } from '../operations/publishing.ts';
import { ruleOperations } from '../operations/rules.ts';
import { sslOperations } from '../operations/ssl.ts';
import { subscriptionOperations } from '../operations/subscriptions.ts';
import { trafficOperations } from '../operations/traffic.ts';

/** Every call of the API by its name. */
export const operations = {
  ...accountOperations,
  ...identityOperations,
  ...auditOperations,
  ...brandOperations,
  ...subscriptionOperations,
  ...domainOperations,
  ...nameOperations,
  ...pluginServerOperations,
  ...publishingOperations,
  ...batchOperations,
  ...groupOperations,
  ...importOperations,
  ...originOperations,
  ...sslOperations,
  ...cachingOperations,
  ...healthOperations,
  ...diagnosisOperations,
  ...ruleOperations,
  ...trafficOperations,
  ...edgeNodeOperations,
} as const;
export type Operations = typeof operations;

export const API_BASE = '/api/v1/';
