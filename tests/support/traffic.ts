import { setTimeout as wait } from 'node:timers/promises';
import { edgeRequest } from './edge-request.ts';

export interface Answered {
  readonly requestId: string;
  readonly status: number;
  /** Milliseconds since 1970, when the whole answer had arrived. */
  readonly at: number;
}

export interface Traffic {
  readonly answered: Answered[];
  /** Paths of the requests that got no whole answer: what became of them is not known. */
  readonly broken: readonly string[];
  stop(): Promise<void>;
}

const REQUESTS_MAX = 20_000;

/** No other request of a test has such a path; each has its own. */
export const TRAFFIC_PATH = '/fault/';

/** Requests through the edge, a few at a time, until stopped or `REQUESTS_MAX` are sent. */
export function startTraffic(port: number, host: string, concurrency = 4): Traffic {
  const answered: Answered[] = [];
  const broken: string[] = [];
  let isRunning = true;
  let sent = 0;
  const send = async () => {
    while (isRunning && sent++ < REQUESTS_MAX) {
      const path = `${TRAFFIC_PATH}${sent}`;
      try {
        const answer = await edgeRequest(port, host, path);
        answered.push({ requestId: String(answer.headers['x-request-id']), status: answer.status, at: Date.now() });
        await wait(10);
      } catch {
        broken.push(path);
        await wait(50);
      }
    }
  };
  const senders = Array.from({ length: concurrency }, send);
  return {
    answered,
    broken,
    async stop() {
      isRunning = false;
      await Promise.all(senders);
    },
  };
}
