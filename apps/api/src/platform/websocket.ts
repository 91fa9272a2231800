import {
  API_BASE,
  WEBSOCKET_ACCESS,
  WEBSOCKET_CLOSE,
  WEBSOCKET_PATH,
  type WebsocketMessage,
  websocketAuth,
} from '@cordon/contract';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Environment } from '../settings/env.ts';
import type { Authenticator, UserPrincipal } from './auth.ts';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';
import { newestEventId, readEvents } from './events.ts';
import { authorize, checkRealm } from './mount.ts';
import type { NotificationHub } from './stream.ts';

const AUTH_MS_MAX = 10_000;
const CHECK_MS = 5_000;
const PING_MS = 25_000;
const MESSAGE_BYTES_MAX = 16 * 1024;
const BUFFERED_BYTES_MAX = 4 * 1024 * 1024;
const SOCKETS_PER_ACCOUNT_MAX = 50;
/** Sockets of one address whose tokens are being checked; an office behind one address reconnects at once. */
const CHECKED_PER_ADDRESS_MAX = 50;
/**
 * Sockets of one address that have said nothing. The oldest of more is ended, no new one refused: all who share the address
 * would be kept out by one who opens sockets and says nothing, where a console says at once who it is.
 */
const SILENT_PER_ADDRESS_MAX = 50;
/** Tokens of one socket that wait for the one before them to be checked. */
const WAITING_MAX = 4;

export interface WebsocketOptions {
  readonly env: Environment;
  readonly db: Db;
  readonly authenticator: Authenticator;
  readonly hub: NotificationHub;
  readonly hostnames: ReadonlySet<string>;
}

/** One open console. */
class Session {
  principal: UserPrincipal | undefined;
  /** Nothing has come on it. */
  isSilent = true;
  private token = '';
  private lastEventId = 0;
  private isReading = false;
  private isStale = false;

  constructor(
    private readonly socket: WebSocket,
    readonly address: string,
    private readonly options: WebsocketOptions,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** At once: a farewell would wait for an answer. */
  terminate(): void {
    this.socket.terminate();
  }

  private send(message: WebsocketMessage): void {
    if (!this.isOpen) return;
    // A reader that does not keep up reconnects and catches up.
    if (this.socket.bufferedAmount > BUFFERED_BYTES_MAX) this.socket.terminate();
    else this.socket.send(JSON.stringify(message));
  }

  /** Takes the first or a fresh token; throws AppError when it does not count, or is another account's. */
  async authenticate(text: string): Promise<void> {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new AppError('MALFORMED_JSON');
    }
    const parsed = websocketAuth.safeParse(json);
    if (!parsed.success) throw new AppError('BAD_REQUEST');
    const principal = await this.options.authenticator.authenticateUser(parsed.data.token, this.address);
    checkRealm(this.options.env, principal, parsed.data.realm);
    authorize(WEBSOCKET_ACCESS, principal);
    if (principal.is_suspended) throw new AppError('ACCOUNT_SUSPENDED');
    if (this.principal && this.principal.account_id !== principal.account_id) throw new AppError('FORBIDDEN');
    const isFirst = this.principal === undefined;
    this.token = parsed.data.token;
    if (!isFirst) {
      this.principal = principal;
      return;
    }
    const newest = await newestEventId(this.options.db, principal.account_id);
    const asked = parsed.data.last_event_id === undefined ? newest : Number(parsed.data.last_event_id);
    this.lastEventId = Math.min(asked, newest);
    this.principal = principal;
    if (asked < newest) {
      const missed = await readEvents(this.options.db, principal.account_id, asked);
      if (!missed.isComplete) {
        this.lastEventId = newest;
        this.send({ type: 'resync' });
      }
    }
    this.send({ type: 'ready', last_event_id: String(newest) });
    await this.catchUp();
  }

  /** Sends what is stored after the last event that was sent. Called again while running, it reads once more. */
  async catchUp(): Promise<void> {
    this.isStale = true;
    if (this.isReading || !this.principal) return;
    this.isReading = true;
    try {
      while (this.isStale && this.isOpen) {
        this.isStale = false;
        const { events } = await readEvents(this.options.db, this.principal.account_id, this.lastEventId);
        for (const event of events) {
          this.send(event);
          this.lastEventId = Number(event.event_id);
          this.isStale = true;
        }
      }
    } finally {
      this.isReading = false;
    }
  }

  /** Expiry, account and roles once more, while the socket stays open. */
  async recheck(): Promise<void> {
    if (!this.principal) return;
    const principal = await this.options.authenticator.authenticateUser(this.token);
    if (
      principal.is_suspended ||
      principal.account_id !== this.principal.account_id ||
      !WEBSOCKET_ACCESS.roles.every((role) => principal.roles.includes(role))
    )
      throw new AppError('FORBIDDEN');
    this.principal = principal;
  }
}

/** The one close for what went wrong. */
function closeFor(error: unknown): { code: number; reason: string } {
  if (!(error instanceof AppError)) return { code: 1011, reason: 'INTERNAL' };
  if (error.status === 401) return { code: WEBSOCKET_CLOSE.unauthenticated, reason: error.code };
  if (error.status === 403) return { code: WEBSOCKET_CLOSE.forbidden, reason: error.code };
  return error.status < 500
    ? { code: WEBSOCKET_CLOSE.malformed, reason: error.code }
    : { code: 1013, reason: error.code };
}

/** Browsers always send Origin with a websocket; only our own pages may open one. */
function allowsOrigin(options: WebsocketOptions, req: FastifyRequest): boolean {
  const origin = req.headers.origin;
  if (origin === undefined) return true;
  if (origin === options.env.origin) return true;
  try {
    // The host check before already admitted our own names only.
    return new URL(origin).host === req.headers.host;
  } catch {
    return false;
  }
}

/** `/api/v1/ws/`: each account's own events, as they are committed. */
export async function mountWebsocket(app: FastifyInstance, options: WebsocketOptions): Promise<void> {
  const sessions = new Set<Session>();
  await app.register(fastifyWebsocket, { options: { maxPayload: MESSAGE_BYTES_MAX } });

  const unsubscribe = options.hub.subscribe('events', (account) => {
    for (const session of sessions) {
      if (account === undefined || session.principal?.account_id === account) {
        session.catchUp().catch((err) => app.log.warn({ err }, 'events could not be read'));
      }
    }
  });
  app.addHook('onClose', async () => unsubscribe());

  app.get(
    `${API_BASE}${WEBSOCKET_PATH}`,
    {
      websocket: true,
      preValidation: async (req) => {
        if (!allowsOrigin(options, req)) throw new AppError('FORBIDDEN');
        const checked = [...sessions].filter(
          ({ principal, isSilent, address }) => !principal && !isSilent && address === req.ip,
        );
        if (checked.length >= CHECKED_PER_ADDRESS_MAX) throw new AppError('TOO_MANY_REQUESTS');
      },
    },
    (socket: WebSocket, req: FastifyRequest) => {
      const session = new Session(socket, req.ip, options);
      sessions.add(session);
      // The oldest comes first in a set.
      const silent = [...sessions].filter(({ isSilent, address }) => isSilent && address === req.ip);
      if (silent.length > SILENT_PER_ADDRESS_MAX) silent[0]?.terminate();
      const fail = (error: unknown) => {
        const { code, reason } = closeFor(error);
        if (code === 1011) app.log.error({ err: error }, 'a websocket failed');
        session.close(code, reason);
      };
      const authTimeout = setTimeout(() => session.close(WEBSOCKET_CLOSE.tooSlow, 'UNAUTHENTICATED'), AUTH_MS_MAX);
      const check = setInterval(() => session.recheck().catch(fail), CHECK_MS);
      let isAlive = true;
      const ping = setInterval(() => {
        if (!isAlive) return socket.terminate();
        isAlive = false;
        socket.ping();
      }, PING_MS);
      socket.on('pong', () => {
        isAlive = true;
      });
      // One after the other: a token must not overtake the one before it.
      let work: Promise<void> = Promise.resolve();
      let waiting = 0;
      socket.on('message', (data, isBinary) => {
        // What was sent before the other side learned of the end still arrives.
        if (!session.isOpen) return;
        session.isSilent = false;
        if (waiting >= WAITING_MAX) return fail(new AppError('TOO_MANY_REQUESTS'));
        waiting += 1;
        work = work
          .then(async () => {
            if (!session.isOpen) return;
            if (isBinary) throw new AppError('BAD_REQUEST');
            await session.authenticate(String(data));
            clearTimeout(authTimeout);
            const account = session.principal?.account_id;
            if (
              [...sessions].filter((other) => other.principal?.account_id === account).length > SOCKETS_PER_ACCOUNT_MAX
            )
              throw new AppError('TOO_MANY_REQUESTS');
          })
          .catch(fail)
          .finally(() => {
            waiting -= 1;
          });
      });
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        sessions.delete(session);
        clearTimeout(authTimeout);
        clearInterval(check);
        clearInterval(ping);
      });
    },
  );
}
