import { createServer } from 'node:net';

/** Ports of the edge's tests; `CORDON_UPSTREAM_ALLOW` of a test edge lists them all. */
export const TEST_PORTS = { first: 18300, last: 18699 } as const;

/** Workers of a run take different ones: a port is free until something listens on it. */
const worker = Number(process.env.VITEST_POOL_ID ?? 1) - 1;
const PORTS_PER_WORKER = 100;

const taken = new Set<number>();

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port that nothing listens on and that this process has not been given before. */
export async function freePort(): Promise<number> {
  const count = TEST_PORTS.last - TEST_PORTS.first + 1;
  const first = (worker * PORTS_PER_WORKER) % count;
  const start = Math.floor(Math.random() * PORTS_PER_WORKER);
  for (let step = 0; step < PORTS_PER_WORKER; step++) {
    const port = TEST_PORTS.first + first + ((start + step) % PORTS_PER_WORKER);
    if (!taken.has(port) && (await isFree(port))) {
      taken.add(port);
      return port;
    }
  }
  throw new Error(`No free port of worker ${worker + 1} from ${TEST_PORTS.first} to ${TEST_PORTS.last}`);
}

export function releasePort(port: number): void {
  taken.delete(port);
}
