import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Sends bytes as they are and answers all that comes back until the server closes or is silent. `from`: an address of loopback. */
export function sendRaw(port: number, bytes: string | Buffer, silenceMs = 400, from = '127.0.0.1'): Promise<string> {
  return readAll((send) => connect({ port, host: '127.0.0.1', localAddress: from }, send), bytes, silenceMs);
}

/** The same over TLS, with a server name. */
export function sendRawSecurely(
  port: number,
  serverName: string,
  bytes: string | Buffer,
  silenceMs = 400,
): Promise<string> {
  const options = { port, host: '127.0.0.1', servername: serverName, rejectUnauthorized: false };
  return readAll((send) => connectTls(options, send), bytes, silenceMs);
}

function readAll(open: (send: () => void) => Socket, bytes: string | Buffer, silenceMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = open(() => socket.write(bytes));
    let text = '';
    socket.setTimeout(silenceMs, () => {
      socket.destroy();
      resolve(text);
    });
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)));
  });
}
