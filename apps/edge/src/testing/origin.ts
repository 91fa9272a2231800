import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort, releasePort } from './ports.ts';

export interface TestOrigin {
  readonly port: number;
  readonly server: Server;
  /** Requests that arrived, newest last. */
  readonly requests: IncomingMessage[];
  stop(): Promise<void>;
}

/** An origin on 127.0.0.1 in the ports of the tests. */
export async function startOrigin(
  handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('origin'),
): Promise<TestOrigin> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    server,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      releasePort(port);
    },
  };
}
