import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that instances choose for their inner parts. */
const FIRST = 14_000;
const COUNT = 6_000;

/** Ports that nothing listened on a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST + randomInt(COUNT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
