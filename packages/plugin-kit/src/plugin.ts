import {
  type CacheOutcome,
  type CommonAttack,
  type DeploymentFeature,
  isFieldErrorCode,
  type PlanTier,
} from '@cordon/contract';
import type { z } from 'zod';
import type { Phase } from './edge/phases.ts';

export { isProtectionPhase, isRoutingPhase, PHASES, type Phase } from './edge/phases.ts';

/** Parts of the domain page that show plugins, in its order. */
export const PLUGIN_AREAS = ['upstreams', 'caching', 'access', 'protection', 'headers', 'error-pages'] as const;
export type PluginArea = (typeof PLUGIN_AREAS)[number];

/** Countries by their ISO 3166-1 alpha-2 codes, which stand in messages by their names in the reader's language. */
export interface NamedCountries {
  readonly countries: readonly string[];
}

/** Values that stand in messages one after another, parted as the reader's language parts them. */
export interface ListedValues {
  readonly list: readonly string[];
}

/** ICU parameters of a message of the plugin's catalog. */
export type PluginParams = Readonly<Record<string, string | number | NamedCountries | ListedValues>>;

/** A message of the plugin's catalog with its ICU parameters. */
export interface PluginMessage {
  /** Key in the plugin's catalog, with dots between levels. */
  readonly message: string;
  readonly params: PluginParams;
}

/** A warning about a valid configuration that may surprise. */
export interface PluginNotice extends PluginMessage {
  /** Path of the field inside the configuration, with dots between levels. */
  readonly path: string;
}

/** An address that a configuration sends visitors to. */
export interface VisitorTarget {
  /** Path of its field inside the configuration, with dots between levels. */
  readonly path: string;
  /** Absolute. */
  readonly url: string;
}

/** A request that a plugin has stopped, as the access log has it. */
export interface StoppedRequest {
  /** All that origins may take the path for; empty where the log does not have it whole. */
  readonly paths: readonly string[];
  /** Of the client, as text. */
  readonly address: string;
  /** The plugin's reason, and the entry or rule that decided. */
  readonly reason: string;
  readonly rule: string;
}

/** A change of a configuration that lets a request, and others like it, pass the plugin; the message says which. */
export interface PluginException extends PluginMessage {
  /** The whole configuration with the change in it. It may be refused where there is no room for it. */
  readonly config: unknown;
  /** The plugin is turned off instead, since nothing would be left of its configuration. False when left out. */
  readonly isOff?: boolean;
}

/** How many requests of one client are let through before a plugin stops them. */
export interface RequestRate {
  readonly requests: number;
  readonly seconds: number;
  /** Only some requests are counted: of which path, or which kind. */
  readonly isPartial: boolean;
}

/** What a configuration needs of a deployment, and the plugin's code where it is missing. */
export interface DeploymentNeed {
  /** Path of the field inside the configuration, with dots between levels. */
  readonly path: string;
  readonly feature: DeploymentFeature;
  readonly code: string;
}

/** A request that shows what a plugin stops, and how often it is sent; the message names the attack. */
export interface TestAttack extends PluginMessage {
  readonly request: {
    /** GET when left out. */
    readonly method?: string;
    /** As it is sent, escapes and query included. */
    readonly target: string;
    /** None of Cordon's own. */
    readonly headers?: readonly { readonly name: string; readonly value: string }[];
    /** The visitor's; an address that is reserved for documentation (RFC 5737) when left out. */
    readonly address?: string;
    /** ISO 3166-1 alpha-2; that of the address when left out. */
    readonly country?: string;
  };
  /** What becomes of the last counts. 1 when left out, at most `TEST_REQUESTS_MAX`. */
  readonly times?: number;
}

/** What test attacks may depend on besides the configuration. */
export interface TestFacts {
  /** Feeds (`PluginDefinition.feeds`) that have an entry for visitors of the domain now. */
  readonly feeds: readonly string[];
}

/** A fault of a configuration that only the outside world shows: at a field of it, with a code of the plugin's own. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
  /** @param path Path of the field inside the configuration, with dots between levels. */
  constructor(
    readonly path: string,
    readonly code: string,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(`${path}: ${code}`);
  }
}

/** Everything that is wrong with what a configuration names. */
export class PluginFaults extends Error {
  override readonly name = 'PluginFaults';
  constructor(readonly faults: readonly PluginFault[]) {
    super(faults.map(({ message }) => message).join('; '));
  }
}

/** What an address answered. */
export interface FetchedResource {
  readonly status: number;
  /** Header fields by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The body was longer than was asked for, and is not whole. */
  readonly isTruncated: boolean;
}

/** What `resolve` may use of the outside world. */
export interface ResolveTools {
  /**
   * One GET through the egress guard, on the account's behalf and within its rate: no redirect is followed, special
   * addresses and our own edges are refused. Undefined for whatever went wrong, always the same.
   */
  fetch(url: string, bytesMax: number): Promise<FetchedResource | undefined>;
}

/** How strictly a domain is protected: one choice for all plugins that know levels. */
export const PROTECTION_LEVELS = ['low', 'medium', 'high'] as const;
export type ProtectionLevel = (typeof PROTECTION_LEVELS)[number];

/** Whether a plugin is on, and its valid configuration. */
export interface PluginSetting<Config> {
  readonly enabled: boolean;
  readonly config: Config;
}

/** What the rest of Cordon knows of a plugin. Built by `definePlugin` in the plugin's `plugin.ts`. */
export interface PluginDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Folder name = configuration key = API slug = log field. */
  readonly name: string;
  readonly phase: Phase;
  /** Position within the phase, lowest first. */
  readonly order: number;
  readonly area: PluginArea;
  /**
   * Schema of the configuration, with all defaults; the only place that has them. The defaults of single fields
   * (`schemaDefaults`) fill a new form; together they need not be valid.
   */
  readonly schema: Schema;
  /**
   * Codes that the plugin itself gives, besides zod's (`REQUIRED`, `TOO_MANY`, …), in capitals with underscores; the
   * catalog has words for each.
   */
  readonly errorCodes: readonly string[];
  /** Every reason the handler can give, for the log, the dashboard and the block page. */
  readonly reasons: readonly string[];
  /** Smallest plan that may enable it. */
  readonly tier: PlanTier;
  /**
   * Feeds that the handler asks (`EdgeContext.feed`) and the plugin's server fills; none when left out. A handler with feeds
   * has nothing to say where they have no entry, and is not asked there.
   */
  readonly feeds?: readonly string[];
  /** Whether what it challenges for is a wait: visitors need not prove themselves. False when left out. */
  readonly isWaiting?: boolean;
  /**
   * Whether its verdicts ban (`banSeconds`): clients are kept out by the plugin that has the feed of bans, and by none
   * where that is switched off. False when left out.
   */
  readonly isBanning?: boolean;
  /**
   * Fields of the configuration, at its top, that hold a secret (`secretText`): stored, shown and compared is a handle, and the
   * secret itself is given to handlers only. One that cannot be opened is the empty text there: the handler refuses what it protects.
   */
  readonly secrets?: readonly string[];
  /** It cannot be on together with another plugin of its phase (`exclude`). False when left out. */
  readonly isOnlyOfPhase?: boolean;
  /** Runs with its defaults also on domains that do not configure it; false when left out. Its defaults are valid. */
  readonly isAlwaysOn?: boolean;
  /** Switched on it only waits, and does nothing to visitors until it is started for a while; false when left out. */
  readonly isStandby?: boolean;
  /** Its form asks whether it is on, as one question with what it does; the switch of other forms is left out. False when left out. */
  readonly asksEnabled?: boolean;
  /** Its form is read across: it gets all the room that a sheet may have. False when left out. */
  readonly hasWideForm?: boolean;
  /** Settings that a new form starts with in place of their defaults; a text that is a key of its catalog, `form.…`, is shown in words. */
  readonly start?: Partial<z.input<Schema>>;
  /** One line that states what a valid configuration does, for the plugin's card. */
  summary(config: z.output<Schema>): PluginMessage;
  /** The same in figures, for where levels are compared; as the summary when left out. */
  brief?(config: z.output<Schema>): PluginMessage;
  /** Of one on standby (`isStandby`), what it does while it is started; as the summary when left out. */
  started?(config: z.output<Schema>): PluginMessage;
  /** Warnings about a valid configuration, for example entries that are ignored. */
  notices(config: z.output<Schema>): readonly PluginNotice[];
  /**
   * What a valid configuration needs of the deployment: it is refused at the field where the operator has not set that up. One that
   * is live already stays so; what it does without is the edge's to know. Nothing when left out.
   */
  needs?(config: z.output<Schema>): readonly DeploymentNeed[];
  /**
   * Where a valid configuration sends every visitor, if anywhere. One that leads back to the domain itself is refused
   * as `REDIRECT_LOOP` by the check of the configuration, which knows the domain's names.
   */
  visitorTargets?(config: z.output<Schema>): readonly VisitorTarget[];
  /**
   * Fetches what a valid configuration names and the edge needs. Runs before the configuration is deployed, and where
   * a deploy is tried out; what it answers, JSON, is kept with the version and given to the handler's `prepare`. Throws
   * PluginFaults.
   */
  resolve?(config: z.output<Schema>, tools: ResolveTools): Promise<unknown>;
  /**
   * What a valid configuration becomes when the lists of another are added to it, both switched on: as strict as both.
   * Added to the result, the other changes nothing more. Throws PluginFault where they cannot be added. `mergeConfig` when left
   * out.
   */
  merge?(own: z.output<Schema>, brought: z.output<Schema>): z.output<Schema>;
  /** How a request that it has stopped could pass, the narrowest way first; none where no narrow one is known. */
  exceptions?(config: z.output<Schema>, request: StoppedRequest): readonly PluginException[];
  /**
   * How it could let a request pass that another plugin, further on in the pipeline, has stopped, the narrowest way first. It is to be
   * switched on with it; the rest of its setting does what it did before.
   */
  letsPass?(setting: PluginSetting<z.output<Schema>>, request: StoppedRequest): readonly PluginException[];
  /**
   * What a level of protection makes of its setting: fields that levels have no say in stay as they are. Asked again with what it
   * answered it answers the same, so that the level of a domain can be told. None: levels leave the plugin alone.
   */
  atLevel?(level: ProtectionLevel, setting: PluginSetting<z.output<Schema>>): PluginSetting<z.output<Schema>>;
  /** The rate from which a valid configuration stops a client; none where it does not count. */
  rate?(config: z.output<Schema>): RequestRate;
  /** The name that origins are asked for in place of the domain's, with this configuration. */
  originHost?(config: z.output<Schema>): string;
}

type PhasePlace = Pick<PluginDefinition, 'name' | 'phase' | 'isOnlyOfPhase'>;

/** Whether two plugins cannot both be on. */
export const exclude = (one: PhasePlace, other: PhasePlace): boolean =>
  one.name !== other.name && one.phase === other.phase && (one.isOnlyOfPhase === true || other.isOnlyOfPhase === true);

/**
 * `testAttacks` of a plugin's `test-attacks.ts`: requests that a valid configuration, switched on, is there to stop: customers send
 * the first three that a node takes (`edgeTestRequest`) to their live domain to see that it is protected. None where no request can be
 * named that shows it. Pure; the messages are keys below `testAttacks`.
 */
export type TestAttacks<Config> = (config: Config, facts: TestFacts) => readonly TestAttack[];
export type AnyTestAttacks = TestAttacks<never>;

/**
 * `remedy` of a plugin's `remedy.ts`: what a valid configuration becomes so that it stops an attack that every site meets; `name` is
 * what the reader calls that. The same object where it stops it already; it may be refused where there is no room. Undefined: the
 * plugin has nothing against it.
 */
export type Remedy<Config> = (config: Config, attack: CommonAttack, name: string) => Config | undefined;
export type AnyRemedy = (...args: Parameters<Remedy<never>>) => object | undefined;

/** Requests for a path that an origin was asked for, by what most of them came to in the access log. */
export interface OriginCost {
  /** Decoded, without query. */
  readonly path: string;
  /** What the origin answered. */
  readonly status: number;
  /** Empty where no cache was on. */
  readonly cache: CacheOutcome;
  /** `cache_reason` of the log. */
  readonly reason: string;
}

/** A change of a configuration by which such requests are answered from the cache; the message says what is cached then. */
export interface CacheChange<Config> extends PluginMessage {
  readonly config: Config;
  /** The setting to which the customer has to add what no log tells, as the message says: the configuration alone does not do it. */
  readonly field?: string;
}

/**
 * `cacheRemedy` of the `cache-remedy.ts` of a plugin of the phase `cache`: what a valid configuration becomes, taken as switched on, so
 * that requests like these cost the origin no more: the narrowest change that is safe for answers of which nothing but the log is
 * known. Its configuration is the same object where it needs no change, or one that only the customer can make. Undefined where only the origin, or the customer's own rule,
 * can change it.
 */
export type CacheRemedy<Config> = (config: Config, cost: OriginCost) => CacheChange<Config> | undefined;
export type AnyCacheRemedy = (...args: Parameters<CacheRemedy<never>>) => CacheChange<object> | undefined;

/** Checks a definition's invariants that types cannot say; throws a plain Error for the developer. */
export function definePlugin<Schema extends z.ZodType>(definition: PluginDefinition<Schema>): PluginDefinition<Schema> {
  const { name, order, reasons, errorCodes } = definition;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new Error(`plugin name ${name} is not kebab-case`);
  if (!Number.isInteger(order) || order < 0) throw new Error(`${name}: order ${order} is not a whole number from 0`);
  for (const reason of reasons) {
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(reason)) throw new Error(`${name}: reason ${reason} is not snake_case`);
  }
  for (const code of errorCodes) {
    if (!isFieldErrorCode(code)) throw new Error(`${name}: error code ${code} is not written in capitals`);
  }
  if (definition.isAlwaysOn && !definition.schema.safeParse({}).success)
    throw new Error(`${name} is always on, but its defaults are not valid`);
  if (new Set(reasons).size !== reasons.length) throw new Error(`${name}: a reason is declared twice`);
  return definition;
}
