import type {
  AnyEdgeHandler,
  BlockVerdict,
  ChallengeVerdict,
  EdgeContext,
  EdgeKit,
  ErrorPage,
  HeaderField,
  OriginRequest,
  RedirectVerdict,
  RouteCache,
  Verdict,
  VisitorResponse,
} from './context.ts';
import { isProtectionPhase, type Phase } from './phases.ts';

/**
 * What the pipeline means, in one place: the runner inside nginx, the request trace and the plugins' cases all run it.
 *
 * - The plugins of a route run in the order of their phases, then of their numbers.
 * - `block` and `redirect` end it, and so does `challenge` for a client that has not proved itself; for others it is as if nothing had been said. `log` only leaves a word. `allow` skips every protection that follows (`isProtectionPhase`).
 * - Where the plugins of a phase are alternatives, a refusal for a lack waits for the end of the phase: a `permit` of
 *   another one, before or after it, makes it void. A refusal of what is forbidden ends it at once.
 * - However it ended, plugins of the route may change the answer (`changesOfAnswer`).
 */

/** A plugin as the registry (`generated/handlers.ts`) has it. */
export interface EdgePlugin {
  readonly phase: Phase;
  readonly handler: AnyEdgeHandler;
  /** Feeds without any entry of which the handler has nothing to say (`PluginDefinition.feeds`). */
  readonly feeds?: readonly string[];
}
export type EdgePlugins = Readonly<Record<string, EdgePlugin | undefined>>;

/** A plugin of one route, with its configuration prepared. */
export interface PreparedPlugin {
  readonly name: string;
  readonly phase: Phase;
  /** An `allow` verdict skips it. */
  readonly isProtection: boolean;
  /** Where none of them has an entry, it has nothing to say; empty: it has, anyway. */
  readonly feeds: readonly string[];
  /** It and its neighbours of the phase are alternatives. */
  isAlternative: boolean;
  readonly access: AnyEdgeHandler['access'];
  readonly bypassesCache: AnyEdgeHandler['bypassesCache'];
  readonly prepared: unknown;
  /** What it alone changes about requests to origins and answers to visitors. */
  readonly originHost: string | undefined;
  readonly originFields: readonly HeaderField[];
  readonly responseFields: readonly HeaderField[];
  readonly errorPages: readonly ErrorPage[];
  readonly cache: RouteCache | undefined;
}

/** A plugin's entry in the configuration of a route. */
export interface PluginEntry {
  readonly name: string;
  readonly config: unknown;
  /** What the plugin's `resolve` found when the version was deployed. */
  readonly resolved?: unknown;
}

/** The plugins of one route. */
export interface PreparedPlugins {
  readonly all: readonly PreparedPlugin[];
  /** Those that have a say about each request. */
  readonly deciders: readonly PreparedPlugin[];
  readonly originHost: string | undefined;
  readonly originFields: readonly HeaderField[];
  readonly responseFields: readonly HeaderField[];
  readonly errorPages: readonly ErrorPage[];
  /** The plugin whose `cache` holds for the route; undefined: nothing of it is kept. */
  readonly cachePlugin: PreparedPlugin | undefined;
}

function prepareOne(entry: PluginEntry, plugin: EdgePlugin, kit: EdgeKit): PreparedPlugin {
  const { handler, phase, feeds = [] } = plugin;
  const prepared = handler.prepare(entry.config, kit, entry.resolved);
  const origin: OriginRequest = { host: undefined, fields: [] };
  if (handler.upstream !== undefined) handler.upstream(prepared, origin);
  const response: VisitorResponse = { fields: [], pages: [] };
  if (handler.response !== undefined) handler.response(prepared, response);
  return {
    name: entry.name,
    phase,
    isProtection: isProtectionPhase(phase),
    feeds,
    isAlternative: handler.isAlternative?.(prepared) === true,
    access: handler.access,
    bypassesCache: handler.bypassesCache,
    prepared,
    originHost: origin.host,
    originFields: origin.fields,
    responseFields: response.fields,
    errorPages: response.pages,
    cache: handler.cache?.(prepared),
  };
}

/** Fields of which an answer may have several, each with a value of its own (RFC 6265 3, RFC 9110 5.3). */
const REPEATABLE_FIELDS: readonly string[] = ['set-cookie', 'link', 'vary', 'server-timing', 'www-authenticate'];

/** Whether a field stands beside the origin's of the same name instead of taking its place. */
export const isRepeatableField = (name: string): boolean => REPEATABLE_FIELDS.includes(name.toLowerCase());

/** `fields` with those of `later`, which take the place of fields of the same name. */
function withFields(fields: readonly HeaderField[], later: readonly HeaderField[]): readonly HeaderField[] {
  if (later.length === 0) return fields;
  const kept = fields.filter(({ name }) => !later.some((field) => field.name.toLowerCase() === name.toLowerCase()));
  return [...kept, ...later];
}

/** `pages` with those of `later`, which take the place of pages for the same status. */
const withPages = (pages: readonly ErrorPage[], later: readonly ErrorPage[]): readonly ErrorPage[] => [
  ...pages.filter(({ status }) => !later.some((page) => page.status === status)),
  ...later,
];

/** Where an answer comes from: an origin, a redirect of the edge, or the edge in place of an origin (refusal, error). */
export type AnswerSource = 'origin' | 'redirect' | 'edge';

/** What plugins change about one answer. */
export interface AnswerChanges<Page, Field> {
  /** Stands in for the answer's body. */
  readonly page: Page | undefined;
  readonly fields: readonly Field[];
}

/**
 * What of a route's error pages and response fields an answer gets; `page` is the route's own for the answer's status, and none where
 * the visitor would rather have JSON than HTML (`prefersJson`): a program, which can read what origins and the edge itself answer.
 * Where there is none, the edge answers with a page of the brand, which stays as it is. A redirect has no body.
 */
export function changesOfAnswer<Page, Field>(
  source: AnswerSource,
  page: Page | undefined,
  fields: readonly Field[],
): AnswerChanges<Page, Field> {
  if (source === 'redirect') return { page: undefined, fields };
  const isBrandPage = source === 'edge' && page === undefined;
  return { page, fields: isBrandPage ? [] : fields };
}

/**
 * Prepares the plugins of a route, which come in the order of the pipeline. `unknown` is called with a name that the
 * registry does not have: a newer control plane may know more plugins than this node. Throws for a configuration that is none
 * of its plugin's, and names that.
 */
export function preparePlugins(
  entries: readonly PluginEntry[],
  plugins: EdgePlugins,
  kit: EdgeKit,
  unknown: (this: void, name: string) => void,
): PreparedPlugins {
  const all: PreparedPlugin[] = [];
  for (const entry of entries) {
    const plugin = plugins[entry.name];
    if (plugin === undefined) unknown(entry.name);
    else {
      try {
        all.push(prepareOne(entry, plugin, kit));
      } catch (error) {
        throw new Error(`${entry.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  let originHost: string | undefined;
  let originFields: readonly HeaderField[] = [];
  let responseFields: readonly HeaderField[] = [];
  let errorPages: readonly ErrorPage[] = [];
  let cachePlugin: PreparedPlugin | undefined;
  for (const plugin of all) {
    if (all.some((other) => other.isAlternative && other.phase === plugin.phase)) plugin.isAlternative = true;
    originHost = plugin.originHost ?? originHost;
    originFields = withFields(originFields, plugin.originFields);
    responseFields = withFields(responseFields, plugin.responseFields);
    errorPages = withPages(errorPages, plugin.errorPages);
    if (plugin.cache !== undefined) cachePlugin = plugin;
  }
  const deciders = all.filter(({ access }) => access !== undefined);
  return { all, deciders, originHost, originFields, responseFields, errorPages, cachePlugin };
}

/** Where a run of the pipeline is, for one that has to be gone on with elsewhere. Positions are indexes of `deciders`. */
export interface PipelinePosition {
  at: number;
  isAllowed: boolean;
  /** A plugin of the phase has permitted the request. */
  isPermitted: boolean;
  /** A refusal for a lack, which waits for the end of its phase, and whose it is; -1: there is none. */
  heldAt: number;
  held: BlockVerdict | undefined;
}

export const pipelineStart = (): PipelinePosition => ({
  at: 0,
  isAllowed: false,
  isPermitted: false,
  heldAt: -1,
  held: undefined,
});

/** Makes a position that was used before the start of a new run. */
export function restartPipeline(position: PipelinePosition): void {
  position.at = 0;
  position.isAllowed = false;
  position.isPermitted = false;
  position.heldAt = -1;
  position.held = undefined;
}

/** What ended a run. */
export interface PipelineEnd {
  readonly plugin: PreparedPlugin;
  readonly verdict: BlockVerdict | RedirectVerdict | ChallengeVerdict;
}

/** Called for each verdict. */
export type VerdictObserver = (this: void, plugin: PreparedPlugin, verdict: NonNullable<Verdict>) => void;

/** Called for each plugin that said nothing when it had its turn, or had none because the request is allowed. */
export type SilenceObserver = (this: void, plugin: PreparedPlugin, isSkipped: boolean) => void;

function endOfPhase(deciders: readonly PreparedPlugin[], position: PipelinePosition): PipelineEnd | undefined {
  position.isPermitted = false;
  const { held, heldAt } = position;
  if (held === undefined) return undefined;
  return { plugin: deciders[heldAt] as PreparedPlugin, verdict: held };
}

/** Takes in the verdict of an alternative; true when nothing more is to be done with it. */
function weighAlternative(position: PipelinePosition, verdict: NonNullable<Verdict>): boolean {
  if (verdict.kind === 'permit') {
    position.isPermitted = true;
    position.held = undefined;
    return true;
  }
  if (verdict.kind !== 'block' || verdict.isUnmet !== true) return false;
  if (!position.isPermitted && position.held === undefined) {
    position.held = verdict;
    position.heldAt = position.at;
  }
  return true;
}

/** The challenge, or undefined when the client has met it already. */
function weighChallenge(ctx: EdgeContext, verdict: ChallengeVerdict): Verdict {
  const provedAt = ctx.provedAt(verdict.way);
  if (provedAt === undefined || provedAt < (verdict.since ?? 0)) return verdict;
  // A pass has its own end; where proofs are to hold for less by now, they do.
  const isOld = verdict.passSeconds !== undefined && ctx.now >= provedAt + verdict.passSeconds;
  return isOld ? verdict : undefined;
}

/** Runs the plugins from `position` on, which is kept up to date; undefined when nothing stands in the request's way. */
export function runPipeline(
  deciders: readonly PreparedPlugin[],
  ctx: EdgeContext,
  position: PipelinePosition,
  observe: VerdictObserver,
  observeSilence?: SilenceObserver,
): PipelineEnd | undefined {
  let phase: Phase | undefined;
  // Lua searches for the end of a list each time.
  const count = deciders.length;
  // LuaJIT interprets this loop (each route has other plugins), and a call costs it as much as what most plugins do: of one that says
  // nothing, there is its own call only.
  for (let at = position.at; at < count; at++) {
    const plugin = deciders[at] as PreparedPlugin;
    position.at = at;
    if (phase !== undefined && phase !== plugin.phase) {
      if (position.held !== undefined) return endOfPhase(deciders, position);
      position.isPermitted = false;
    }
    phase = plugin.phase;
    const isSkipped = position.isAllowed && plugin.isProtection;
    const access = plugin.access as NonNullable<AnyEdgeHandler['access']>;
    let verdict = isSkipped ? undefined : access(ctx, plugin.prepared);
    if (verdict !== undefined && verdict.kind === 'challenge') verdict = weighChallenge(ctx, verdict);
    if (verdict === undefined) {
      if (observeSilence !== undefined) observeSilence(plugin, isSkipped);
    } else {
      observe(plugin, verdict);
      if (plugin.isAlternative && weighAlternative(position, verdict)) continue;
      if (verdict.kind === 'allow') position.isAllowed = true;
      else if (verdict.kind === 'block' || verdict.kind === 'redirect' || verdict.kind === 'challenge')
        return { plugin, verdict };
    }
  }
  position.at = count;
  return endOfPhase(deciders, position);
}
