/** What other modules use of origins besides the services that its module creates. */
export { type LeavingNode, marksOf, standingOf } from './left-out.ts';
export { findSeeds as findOriginSeeds } from './lock-repository.ts';
export { readTlsCa } from './tls-ca.ts';
export { toCertificate } from './upstream-verification.ts';
