import { Agent, request } from 'node:http';
import type {
  RunnerBans,
  RunnerBansWritten,
  RunnerChange,
  RunnerChangeResult,
  RunnerClearResult,
  RunnerFeedLine,
  RunnerFeedResult,
  RunnerLook,
  RunnerLookResult,
  RunnerSettings,
  RunnerStatus,
} from '../runner/payload.ts';

/** A line of `POST /clears`: `*` is every route. Its value has one character for each byte. */
export interface RunnerClear {
  readonly route_id: string;
  readonly kind: 'all' | 'url' | 'prefix' | 'tag';
  readonly value: string;
  readonly soft: boolean;
  /** Of the clear of the control plane that it is of; left out where there is none. */
  readonly id?: string;
  /** No more lines of that clear follow. */
  readonly last?: boolean;
}

const STATUS_MS_MAX = 2000;
/** One that comes later would hold for longer than was meant. */
const LEASE_MS_MAX = 1000;

/** nginx is still starting, or is down, which its supervisor says: it refused nothing. */
export const isNotListening = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '');

/** nginx took the connection and closed it at once: it lives, and has none free. */
export const isTurnedAway = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Calls nginx's admin server over its unix socket, one kept connection. */
export class AdminClient {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2 });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  #call<T>(
    method: string,
    path: string,
    body: string | Buffer = '',
    agent: Agent | false = this.#agent,
    timeout = 10_000,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const call = request(
        {
          socketPath: this.#socketPath,
          agent,
          method,
          path,
          headers: { host: 'admin', 'content-length': Buffer.byteLength(body) },
          timeout,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(parts).toString();
            if (response.statusCode !== 200) reject(new Error(`nginx answered ${response.statusCode}: ${text}`));
            else resolve(JSON.parse(text) as T);
          });
        },
      );
      call.on('timeout', () => call.destroy(new Error('nginx did not answer in time')));
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Applies changes in their order; what failed is in the answer. */
  postChanges(changes: readonly RunnerChange[]): Promise<RunnerChangeResult> {
    return this.#call('POST', '/routes', changes.map((change) => JSON.stringify(change)).join('\n'));
  }

  putSettings(settings: RunnerSettings): Promise<{ boot_id: string }> {
    return this.#call('PUT', '/settings', JSON.stringify(settings));
  }

  postFeeds(lines: readonly RunnerFeedLine[]): Promise<RunnerFeedResult> {
    return this.#call('POST', '/feeds', lines.map((line) => JSON.stringify(line)).join('\n'));
  }

  /** Clears what is stored; no request gets it any more when this has resolved. Why not is in the answer. */
  postClears(lines: readonly RunnerClear[]): Promise<RunnerClearResult> {
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    // Bytes that are no UTF-8 stand in nginx's paths too.
    return this.#call('POST', '/clears', Buffer.from(body, 'latin1'));
  }

  /** Lets nginx be a shield for so long from now on. */
  grantLease(milliseconds: number): Promise<unknown> {
    return this.#call('PUT', '/shield-lease', String(Math.floor(milliseconds)), this.#agent, LEASE_MS_MAX);
  }

  /** What is stored of a URL. */
  postLook(look: RunnerLook): Promise<RunnerLookResult> {
    return this.#call('POST', '/look', Buffer.from(JSON.stringify(look), 'latin1'));
  }

  /** The bans that wait inside nginx: the same again until their batch is named as `written`. */
  takeBans(written: number | undefined): Promise<RunnerBans> {
    return this.#call('POST', '/bans/take', JSON.stringify({ written } satisfies RunnerBansWritten));
  }

  /** Ids of all routes that nginx knows. */
  async getRouteIds(): Promise<string[]> {
    return (await this.#call<{ ids?: string[] }>('GET', '/routes')).ids ?? [];
  }

  /** On a connection of its own: the worker that has the kept one may be the one that hangs. */
  getStatus(): Promise<RunnerStatus> {
    return this.#call('GET', '/status', '', false, STATUS_MS_MAX);
  }

  close(): void {
    this.#agent.destroy();
  }
}
