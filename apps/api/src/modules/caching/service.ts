export { createClearService } from './clear-service.ts';
export { createClearStream } from './clear-stream.ts';
