import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

/** One HTTP/1.1 request over TLS; any certificate will do. */
export function secureRequest(
  port: number,
  host: string,
  options: { readonly serverName?: string; readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: options.path ?? '/',
        servername: options.serverName ?? host,
        rejectUnauthorized: false,
        agent: false,
        headers: { host, ...options.headers },
      },
      (response) => {
        let body = '';
        response.on('data', (part) => {
          body += part;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      },
    );
    call.on('error', reject);
    call.end();
  });
}
