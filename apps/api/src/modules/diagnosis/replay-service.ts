import { type PluginEntry, REPLAY_HOURS, type Replay, type replayInput } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { handlers } from '@cordon/plugins/handlers';
import type { z } from 'zod';
import type { AsnDatabase } from '../../platform/asn-database.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Db } from '../../platform/database.ts';
import { fieldErrors, notFound } from '../../platform/errors.ts';
import { inTurn } from '../../platform/turns.ts';
import { checkPluginEntry, type FoundFaults } from '../domains/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import * as routes from '../routes/service.ts';
import type { TrafficService } from '../traffic/service.ts';
import { createReplayRun } from './replay-run.ts';
import { takeInTurns } from './replay-turns.ts';

export interface ReplayService {
  /**
   * What one plugin with these settings would have done to the newest recorded requests of a domain, of the last 24 hours. One at
   * a time for an account. Throws NOT_FOUND, what is wrong with the settings at `plugin.config.…`, UNAVAILABLE while the
   * traffic cannot be read.
   * @param signal Ends it: its answer is not wanted any more.
   */
  replay(accountId: string, routeId: string, input: z.output<typeof replayInput>, signal: AbortSignal): Promise<Replay>;
}

export interface ReplayServiceParts {
  readonly db: Db;
  readonly traffic: Pick<TrafficService, 'readRecorded'>;
  readonly asns: AsnDatabase;
  readonly secrets: PluginSecrets;
}

function checkEntry(entry: PluginEntry): PluginEntry {
  const definition = findDefinition(entry.name);
  if (!definition) throw fieldErrors({ 'plugin.name': 'PLUGIN_UNKNOWN' });
  const found: FoundFaults = { fields: {}, params: {} };
  const checked = checkPluginEntry(definition, entry, 'plugin', found);
  if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
  return checked;
}

export function createReplayService({ db, traffic, asns, secrets }: ReplayServiceParts): ReplayService {
  const byAccount = createConcurrencyLimit(1);
  return {
    async replay(accountId, routeId, { plugin, requests: limit }, signal) {
      if (!(await routes.findRoute(db, accountId, routeId))) throw notFound();
      const { plugins } = await secrets.take(db, accountId, [plugin], () => 'plugin');
      await inTurn(() => checkEntry(plugins[0] ?? plugin));
      const [opened = plugin] = await secrets.open(db, accountId, [plugin]);
      const entry = await inTurn(() => checkEntry(opened));
      return byAccount.run(accountId, async () => {
        const recorded = await traffic.readRecorded(accountId, routeId, { hours: REPLAY_HOURS, limit }, signal);
        const asnOf = await asns.open();
        const run = await inTurn(() => createReplayRun(entry, handlers, asnOf));
        return run.result(await takeInTurns(run.take, recorded, signal));
      });
    },
  };
}
