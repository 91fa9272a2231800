import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestOrigin {
  readonly port: number;
  /** Requests that arrived, oldest first. */
  readonly seen: IncomingMessage[];
  close(): Promise<void>;
}

/** A customer's origin on loopback: answers 200 and says which path was asked for. */
export async function startOrigin(answer?: (req: IncomingMessage, res: ServerResponse) => void): Promise<TestOrigin> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    if (answer) return answer(req, res);
    req.resume();
    req.on('end', () => res.setHeader('content-type', 'text/plain').end(`origin ${req.url}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
