export { createClearService } from './clear-service.ts';
export { createClearStreams } from './clear-stream.ts';
export { developmentEndOf } from './development-service.ts';
export { prefetchAfterDeploys } from './prefetch-service.ts';
export { countLeavable, leaveTasks } from './task-leaving.ts';
export { renameInTasks } from './task-renaming.ts';
