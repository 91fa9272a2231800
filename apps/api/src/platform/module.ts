import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { Environment } from '../settings/env.ts';
import type { Authenticator } from './auth.ts';
import type { ClickHouseClient } from './clickhouse.ts';
import type { Db } from './database.ts';
import type { Egress } from './egress.ts';
import type { HealthPart } from './health.ts';
import type { Log } from './log.ts';
import type { Mount } from './mount.ts';
import type { JobHandler, RecurringJob } from './queue-pool.ts';
import type { RateLimits } from './rate-limit.ts';
import type { DnsResolver } from './resolver.ts';
import type { SecretBox } from './secrets.ts';
import type { NotificationHub } from './stream.ts';

/** What every module may use. */
export interface Platform {
  readonly env: Environment;
  readonly log: Log;
  readonly db: Db;
  /** For named, prepared statements on hot paths. */
  readonly pool: pg.Pool;
  readonly clickhouse: ClickHouseClient | undefined;
  readonly hub: NotificationHub;
  readonly secrets: SecretBox;
  readonly resolver: DnsResolver;
  readonly egress: Egress;
  readonly rates: RateLimits;
  readonly authenticator: Authenticator;
}

/** What a module gives to the process. */
export interface ApiModule {
  /** Mounts operations of the contract, and routes that are no operations (the identity provider's). */
  mount?(app: FastifyInstance, mount: Mount, metrics: Registry): void | Promise<void>;
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  readonly recurring?: readonly RecurringJob[];
  readonly health?: readonly HealthPart[];
  /** After the server listens and the queue runs. */
  start?(): Promise<void>;
  /** Before the database closes. */
  stop?(): Promise<void>;
}
