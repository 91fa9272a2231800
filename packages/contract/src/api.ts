import { accountOperations } from './operations/accounts.ts';
import { domainOperations } from './operations/domains.ts';
import { edgeNodeOperations } from './operations/edge-nodes.ts';
import { trafficOperations } from './operations/traffic.ts';

/** Every call of the API by its name. */
export const operations = {
  ...accountOperations,
  ...domainOperations,
  ...trafficOperations,
  ...edgeNodeOperations,
} as const;
export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const API_BASE = '/api/v1/';
