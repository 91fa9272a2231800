/** What other modules use of names besides the services that its module creates. */

export { createNameRelease } from './name-release.ts';
export { bareName, createNameRules, registrableName, unicodeName } from './name-rules.ts';
export { isIpv6, pointRecords, toOwnership } from './ownership-proof.ts';
export { findName, findNames, insertNames, spansOthers } from './repository.ts';
export { shadowDomainFaultOf } from './shadow-domain-faults.ts';
export { markVerified } from './verification.ts';
