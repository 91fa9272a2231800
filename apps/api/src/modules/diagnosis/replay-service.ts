import {
  type DraftReplay,
  type draftReplayInput,
  type EdgeRoute,
  type PluginEntry,
  REPLAY_HOURS,
  type Replay,
  type replayInput,
} from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { handlers } from '@cordon/plugins/handlers';
import type { z } from 'zod';
import type { AsnDatabase, AsnLookup } from '../../platform/address-database.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Db } from '../../platform/database.ts';
import { fieldErrors, notFound } from '../../platform/errors.ts';
import { inTurn } from '../../platform/turns.ts';
import { checkPluginEntry, type FoundFaults } from '../domains/service.ts';
import type { FeedService } from '../edge-nodes/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import * as routes from '../routes/service.ts';
import type { DraftWith } from '../rules/service.ts';
import type { TrafficService } from '../traffic/service.ts';
import { createDraftReplayRun } from './draft-replay-run.ts';
import { createAllowed } from './replay-allowed.ts';
import { createReplayJudge, type FeedsOf } from './replay-judge.ts';
import { createReplayRun, type ReplayRun } from './replay-run.ts';
import { takeInTurns } from './replay-turns.ts';
import type { TraceService } from './trace-service.ts';

export interface ReplayService {
  /**
   * What one plugin with these settings would have done to the newest recorded requests of a domain, of the last 24 hours. One at
   * a time for an account. Throws NOT_FOUND, what is wrong with the settings at `plugin.config.…`, TRAFFIC_UNAVAILABLE while the
   * traffic cannot be read.
   * @param signal Ends it: its answer is not wanted any more.
   */
  replay(accountId: string, routeId: string, input: z.output<typeof replayInput>, signal: AbortSignal): Promise<Replay>;
  /**
   * What the draft of a domain, with plugins that are brought to it, would have done otherwise than what is live; without a
   * difference where there is no draft. Bounded and refused likewise; throws whatever is wrong with the plugins there.
   */
  replayDraft(
    accountId: string,
    routeId: string,
    input: z.output<typeof draftReplayInput>,
    signal: AbortSignal,
  ): Promise<DraftReplay>;
}

export interface ReplayServiceParts {
  readonly db: Db;
  readonly traffic: Pick<TrafficService, 'readRecorded'>;
  readonly asns: AsnDatabase;
  readonly secrets: PluginSecrets;
  readonly feeds: Pick<FeedService, 'findAll'>;
  readonly draftWith: DraftWith;
  readonly edgeRouteOf: TraceService['edgeRouteOf'];
}

function checkEntry(entry: PluginEntry): PluginEntry {
  const definition = findDefinition(entry.name);
  if (!definition) throw fieldErrors({ 'plugin.name': 'PLUGIN_UNKNOWN' });
  const found: FoundFaults = { fields: {}, params: {} };
  const checked = checkPluginEntry(definition, entry, 'plugin', found);
  if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
  return checked;
}

export function createReplayService({
  db,
  traffic,
  asns,
  secrets,
  feeds,
  draftWith,
  edgeRouteOf,
}: ReplayServiceParts): ReplayService {
  const byAccount = createConcurrencyLimit(1);

  /** Runs what `create` makes over the newest recorded requests. */
  const runOver = <Result>(
    accountId: string,
    routeId: string,
    limit: number,
    signal: AbortSignal,
    create: (asnOf: AsnLookup | undefined, feedsOf: FeedsOf) => ReplayRun<Result>,
  ): Promise<Result> =>
    byAccount.run(accountId, async () => {
      const recorded = await traffic.readRecorded(accountId, routeId, { hours: REPLAY_HOURS, limit }, signal);
      const asnOf = await asns.open();
      const allowed = createAllowed(db, feeds, [routeId, accountId]);
      const run = await inTurn(() => create(asnOf, allowed.feedsOf));
      return run.result(await takeInTurns(run.take, allowed.before(recorded), signal));
    });

  return {
    async replay(accountId, routeId, { plugin, requests: limit }, signal) {
      if (!(await routes.findRoute(db, accountId, routeId))) throw notFound();
      const { plugins } = await secrets.take(db, accountId, [plugin], () => 'plugin');
      await inTurn(() => checkEntry(plugins[0] ?? plugin));
      const [opened = plugin] = await secrets.open(db, accountId, [plugin]);
      const entry = await inTurn(() => checkEntry(opened));
      return runOver(accountId, routeId, limit, signal, (asnOf, feedsOf) =>
        createReplayRun(entry, handlers, asnOf, feedsOf),
      );
    },

    async replayDraft(accountId, routeId, { requests: limit, brought }, signal) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      // As if nothing were paused: what is compared are the configurations.
      const config = brought ? await draftWith(accountId, routeId, brought) : route.draft;
      const draft = await edgeRouteOf(route, config, false);
      const live = route.live === null ? undefined : await edgeRouteOf(route, route.live, false);
      return runOver(accountId, routeId, limit, signal, (asnOf, feedsOf) => {
        const judgeOf = (plugins: EdgeRoute['plugins']) => createReplayJudge(plugins, handlers, asnOf, feedsOf);
        return createDraftReplayRun(judgeOf(live?.plugins ?? []), judgeOf(draft.plugins), asnOf);
      });
    },
  };
}
