import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { listenOnOriginPort } from './origin-ports.ts';

export interface TestOrigin {
  readonly port: number;
  /** Requests that arrived, oldest first. */
  readonly seen: IncomingMessage[];
  close(): Promise<void>;
}

/** A server on loopback that no instance may reach: as an origin, but on a port that none is allowed. */
export const startInside = (): Promise<TestOrigin> => startServer(listenAnywhere);

/** A customer's origin on loopback: answers 200 and says which path was asked for. */
export const startOrigin = (answer?: (req: IncomingMessage, res: ServerResponse) => void): Promise<TestOrigin> =>
  startServer(listenAsOrigin, answer);

async function startServer(
  listen: (server: Server) => Promise<number>,
  answer?: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<TestOrigin> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    if (answer) return answer(req, res);
    req.resume();
    req.on('end', () => res.setHeader('content-type', 'text/plain').end(`origin ${req.url}`));
  });
  const port = await listen(server);
  return {
    port,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Lets a server listen where instances may reach it; gives the port. */
export function listenAsOrigin(server: Server | SecureServer): Promise<number> {
  return listenOnOriginPort(
    (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      }),
  );
}

const listenAnywhere = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
