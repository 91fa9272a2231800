import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { edgeRequest } from '../support/edge-request.ts';
import { listenAsOrigin } from '../support/origin.ts';

/** An origin that remembers nothing: it answers for an hour. */
export async function startPlainOrigin(): Promise<{ server: Server; port: number }> {
  const server = createServer((req, res) => void req.resume().on('end', () => res.end('origin')));
  return { server, port: await listenAsOrigin(server) };
}

/** What visitors of one name met. */
export interface Visits {
  /** When each whole answer had arrived, by its request id. */
  readonly answered: Map<string, number>;
  /** Answers that were not the origin's, by status. */
  readonly refused: Map<number, number>;
  /** Requests that got no whole answer: what became of them is not known. */
  broken: number;
  stop(): Promise<void>;
}

/** One request after the other, so many in a second at most. */
export function startVisits(port: number, host: string, perSecond: number): Visits {
  const end = new AbortController();
  const visits = { answered: new Map<string, number>(), refused: new Map<number, number>(), broken: 0 };
  const run = async () => {
    for (let sent = 0; !end.signal.aborted; sent += 1) {
      const startedAt = Date.now();
      try {
        const { status, headers } = await edgeRequest(port, host, `/${sent}`);
        visits.answered.set(String(headers['x-request-id']), Date.now());
        if (status !== 200) visits.refused.set(status, (visits.refused.get(status) ?? 0) + 1);
      } catch {
        visits.broken += 1;
      }
      await wait(Math.max(1, startedAt + 1000 / perSecond - Date.now()));
    }
  };
  const running = run();
  return Object.assign(visits, {
    stop: () => {
      end.abort();
      return running;
    },
  });
}
