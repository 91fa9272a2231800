import { createServer, type Socket } from 'node:net';
import { freePort, releasePort } from './ports.ts';

/** An origin that writes its answers byte by byte, one for each connection. */
export interface RawOrigin {
  readonly port: number;
  /** Connections that are open. */
  open(): number;
  stop(): Promise<void>;
}

/** An answer of 200 in full, whose connection ends. `fields` end with CRLF each. */
export const rawAnswer = (fields: string, body: string): string =>
  `HTTP/1.1 200 OK\r\n${fields}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

/** @param respond is called with the target of each request and its head. */
export async function startRawOrigin(
  respond: (socket: Socket, target: string, head: string) => void,
): Promise<RawOrigin> {
  const held = new Set<Socket>();
  const server = createServer((socket) => {
    held.add(socket.on('error', () => {}).on('close', () => held.delete(socket)));
    socket.once('data', (data) => {
      const head = data.toString('latin1');
      respond(socket, head.split(' ')[1] ?? '', head);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    open: () => held.size,
    stop: async () => {
      for (const socket of held) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      releasePort(port);
    },
  };
}
