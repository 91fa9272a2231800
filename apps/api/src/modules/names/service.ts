/** What other modules use of names besides the services that its module creates. */

export { type DnsView, probeName, viewOf } from './dns-view.ts';
export type { Claim, NameClaims } from './name-claims.ts';
export { createNameRelease } from './name-release.ts';
export { bareName, createNameRules, isApex, type NameRules, registrableName } from './name-rules.ts';
export {
  createOwnershipProof,
  type Destination,
  isIpv6,
  needsTxtProof,
  type OwnershipProof,
  pointRecords,
  toOwnership,
} from './ownership-proof.ts';
export type { OwnershipService } from './ownership-service.ts';
export { findName, findNames, insertNames, spansOthers } from './repository.ts';
export { shadowDomainFaultOf } from './shadow-domain-faults.ts';
export type { RenameInTasks } from './shadow-domain-service.ts';
export type { ShadowDomainWatch } from './shadow-domain-watch.ts';
export { markVerified } from './verification.ts';
