import { createAnswerer } from './answer-call';
import { READY, type WorkerQuestion } from './worker-messages';

/* Files are read and rows are checked here, so that the page answers at once whatever the file holds. */
const answer = createAnswerer();
self.addEventListener('message', (event: MessageEvent<WorkerQuestion>) => self.postMessage(answer(event.data)));
self.postMessage(READY);
