/** What other modules use of publishing besides the services that its module creates. */
export type { LeaveCause, LeaveTasks } from './deletion.ts';
export { type DeployService, requireNamesThatMayGoLive, requireResumable } from './deploy-service.ts';
export { type DraftParts, saveDraft } from './draft.ts';
export { keepDraft } from './draft-repository.ts';
export { requireRevision } from './draft-revision.ts';
export { findPluginInNeed, refusedPlugins } from './edge-payload.ts';
export { findOperations, type OperationRow } from './operation-repository.ts';
export { pauseOf, toImmediateOperation, toRunningOperation } from './operations.ts';
export { configHashOf, createPluginResolution, type ResolvePlugins } from './plugin-resolution.ts';
export { findResolution } from './plugin-resolution-repository.ts';
export { createPublication, type Publication } from './publication.ts';
export type { ReceiptService } from './receipt-service.ts';
export { isOnEdge, takeOffEdge } from './repository.ts';
export { type Restorable, type RestoreAlso, undoByRestore } from './restore-kind.ts';
export { findVersion, findVersionSummary } from './version-repository.ts';
export { toVersionSummary } from './version-service.ts';
