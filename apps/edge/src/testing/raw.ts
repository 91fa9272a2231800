import { connect, type Socket } from 'node:net';

/** Sends bytes as they are and answers all that comes back until the server closes or is silent. */
export function sendRaw(port: number, bytes: string | Buffer, silenceMs = 400): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
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
