import type {
  Actor,
  AnswerOf,
  AuditDetails,
  EdgeBan,
  EdgeFeedEntry,
  Operation,
  OperationCall,
  PlanTier,
} from '@cordon/contract';
import type { Kysely } from 'kysely';

/**
 * The part of a plugin that runs in the control plane, for plugins that keep something apart from domains'
 * configurations: `operations.ts` declares its calls, `migrations/` its tables, and `server.ts` answers the calls.
 */

/** A client that a node has banned from a route, because a plugin's verdict said so. */
export interface NodeBan extends EdgeBan {
  /** Of the route. */
  readonly accountId: string;
  /** Name of the node. */
  readonly node: string;
}

/** A domain, as far as plugins need to know it. */
export interface ServerRoute {
  readonly id: string;
  readonly domain_name: string;
  /** The plugin's own configuration that is live, materialised; its defaults where it is not configured. */
  readonly config: unknown;
  /** Whether the plugin is on in what is live. */
  readonly isEnabled: boolean;
  /** Whether nodes let visitors through to it, by its plugins: it is live, neither off nor suspended, and not paused. */
  readonly isServed: boolean;
}

/** A domain with many requests now. */
export interface BusyRoute {
  readonly account_id: string;
  readonly route_id: string;
  /** In the busiest of the last two minutes: those that no plugin blocked. */
  readonly requests: number;
  /**
   * What 95% of its minutes of the last seven days have at most, the last hour and those in which the plugin had a verdict left
   * out; null: it has no hour of history yet.
   */
  readonly usual: number | null;
}

/** What a plugin's server may use. It writes tables of its own only, and may read `routes`: names, and which are deleted. */
export interface PluginServerTools<Tables> {
  readonly db: Kysely<Tables>;
  /** A transaction; `work` may be called several times, when PostgreSQL has ended it for a deadlock. */
  transaction<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Adds entries of the plugin's feeds or changes when they end; all nodes know within a second of the commit. */
  putFeedEntries(trx: Kysely<Tables>, entries: readonly EdgeFeedEntry[]): Promise<void>;
  /**
   * Entries of `feed`, of the account or its domains, that lie inside an entry of `within` of the account; both hold. Those are
   * counted of which this transaction has written the entry of the feed that `written` names.
   */
  countInside(
    trx: Kysely<Tables>,
    accountId: string,
    of: { readonly feed: string; readonly within: string; readonly written: string },
  ): Promise<number>;
  /** Heavy work, a bounded piece of it, in a turn of the event loop of its own: others are answered between the pieces. */
  inTurn<T>(work: () => T): Promise<T>;
  /**
   * A line of the account's audit log; `action` as `<plugin>.<verb>`, whose words are `audit.<verb>` of the plugin's catalogs.
   * `subject`: `account`, or `route <id>`.
   */
  audit(
    trx: Kysely<Tables>,
    actor: Actor,
    line: { readonly action: string; readonly subject: string; readonly details: AuditDetails },
  ): Promise<void>;
  /** The best tier of the account's active subscriptions, for limits that hold for the whole account; `free` without one. */
  tierOf(trx: Kysely<Tables>, accountId: string): Promise<PlanTier>;
  /** A domain of the account; undefined for another account's. */
  findRoute(accountId: string, id: string): Promise<ServerRoute | undefined>;
  /** Domains of all accounts with at least so many requests a minute now, the busiest first, 1,000 at most. */
  listBusyRoutes(least: number): Promise<readonly BusyRoute[]>;
}

export type PluginHandlers<Operations extends Record<string, Operation>> = {
  readonly [Name in keyof Operations]: (call: OperationCall<Operations[Name]>) => AnswerOf<Operations[Name]>;
};

export interface PluginServer<Operations extends Record<string, Operation>> {
  readonly handlers: PluginHandlers<Operations>;
  /** Takes in what nodes have banned. At most one plugin does. The same ban may come twice. */
  recordBans?(bans: readonly NodeBan[]): Promise<void>;
  /** Forgets what is over; called every ten minutes. */
  forgetEnded?(): Promise<void>;
  /** Looks at traffic; called every minute. */
  watch?(): Promise<void>;
}

/** What `server.ts` exports as `createServer`. */
export type CreatePluginServer<Operations extends Record<string, Operation>, Tables> = (
  tools: PluginServerTools<Tables>,
) => PluginServer<Operations>;

/** A server among others: the registry gives each its own operations and tables. */
export interface AnyPluginServer {
  readonly plugin: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly createServer: (tools: PluginServerTools<never>) => PluginServer<Record<string, Operation>>;
}
