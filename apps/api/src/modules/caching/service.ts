export { createClearService } from './clear-service.ts';
export { createClearStreams } from './clear-stream.ts';
