/** What other modules use of publishing besides the services that its module creates. */
export { requireNamesThatMayGoLive } from './deploy-service.ts';
export { saveDraft } from './draft.ts';
export { insertDraft } from './draft-repository.ts';
export { requireRevision } from './draft-revision.ts';
export { findOperations } from './operation-repository.ts';
export { pauseOf, toImmediateOperation, toRunningOperation } from './operations.ts';
export { createPluginResolution, type ResolvePlugins } from './plugin-resolution.ts';
export { createPublication } from './publication.ts';
export { isOnEdge, takeOffEdge } from './repository.ts';
export { findVersion, findVersionSummary } from './version-repository.ts';
export { toVersionSummary } from './version-service.ts';
