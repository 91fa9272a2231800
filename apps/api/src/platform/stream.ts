import pg from 'pg';
import type { Log } from './log.ts';

/** Called with the payload of a notification; with undefined when listening begins (anew): any may have been missed. */
export type NotificationListener = (payload: string | undefined) => void;

/** One LISTEN connection for the whole process. */
export interface NotificationHub {
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, listener: NotificationListener): () => void;
  isConnected(): boolean;
  close(): Promise<void>;
}

const RECONNECT_MS_MAX = 2_000;

/** Connects and stays connected: after a restart of PostgreSQL it listens again and wakes every listener. */
export async function createNotificationHub(databaseUrl: string, log: Log): Promise<NotificationHub> {
  const listeners = new Map<string, Set<NotificationListener>>();
  let client: pg.Client | undefined;
  let isClosed = false;
  let retryTimer: NodeJS.Timeout | undefined;

  const notify = (channel: string, payload: string | undefined) => {
    for (const listener of listeners.get(channel) ?? []) {
      try {
        listener(payload);
      } catch (err) {
        log.error({ err, channel }, 'a listener of notifications failed');
      }
    }
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'cordon-listen', keepAlive: true });
    const lost = (err?: Error) => {
      if (client !== next && client !== undefined) return;
      client = undefined;
      next.removeAllListeners();
      next.on('error', () => undefined);
      next.end().catch(() => undefined);
      if (!isClosed) retry(err);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ channel, payload }) => notify(channel, payload ?? ''));
    await next.connect();
    for (const channel of listeners.keys()) await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    client = next;
  }

  function retry(err: unknown, delayMs = 50): void {
    if (isClosed || retryTimer) return;
    log.warn({ err }, 'the connection for notifications was lost');
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      connect().then(
        () => {
          log.info('listening for notifications again');
          for (const channel of listeners.keys()) notify(channel, undefined);
        },
        (error) => retry(error, Math.min(delayMs * 2, RECONNECT_MS_MAX)),
      );
    }, delayMs);
  }

  /** One at a time, as the connection takes them. */
  let listening: Promise<void> = Promise.resolve();
  const listen = (channel: string): void => {
    const heard = listening.then(async () => {
      if (client === undefined) return;
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      // A reader that read before it took hold may have missed something in between.
      notify(channel, undefined);
    });
    // The connection is broken, and reconnecting listens to every channel.
    listening = heard.catch(() => undefined);
  };

  await connect();
  return {
    subscribe(channel, listener) {
      let set = listeners.get(channel);
      if (!set) {
        set = new Set();
        listeners.set(channel, set);
        listen(channel);
      }
      set.add(listener);
      return () => void set.delete(listener);
    },
    isConnected: () => client !== undefined,
    async close() {
      isClosed = true;
      clearTimeout(retryTimer);
      const last = client;
      client = undefined;
      last?.removeAllListeners('end');
      await last?.end().catch(() => undefined);
    },
  };
}
