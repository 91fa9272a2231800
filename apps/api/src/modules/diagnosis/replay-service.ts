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
import * as routes from '../routes/service.ts';
import type { RecordedRequest, TrafficService } from '../traffic/service.ts';
import { createReplayRun, type ReplayRun } from './replay-run.ts';

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
}

/** Of one turn of the event loop. */
const TURN_MS = 15;
/** Of one replay, in all its turns. */
const WORK_MS = 2_000;

function checkEntry(entry: PluginEntry): PluginEntry {
  const definition = findDefinition(entry.name);
  if (!definition) throw fieldErrors({ 'plugin.name': 'PLUGIN_UNKNOWN' });
  const found: FoundFaults = { fields: {}, params: {} };
  const checked = checkPluginEntry(definition, entry, 'plugin', found);
  if (Object.keys(found.fields).length > 0) throw fieldErrors(found.fields, found.params);
  return checked;
}

/** Gives requests to the run until all its time is used; false: it was. */
async function takeAll(
  run: ReplayRun,
  recorded: AsyncIterable<RecordedRequest[]>,
  signal: AbortSignal,
): Promise<boolean> {
  let usedMs = 0;
  for await (const requests of recorded) {
    let at = 0;
    while (at < requests.length) {
      if (usedMs >= WORK_MS || signal.aborted) return false;
      await inTurn(() => {
        const start = performance.now();
        let tookMs = 0;
        do {
          run.take(requests[at++] as RecordedRequest);
          tookMs = performance.now() - start;
        } while (at < requests.length && tookMs < TURN_MS);
        usedMs += tookMs;
      });
    }
  }
  return true;
}

export function createReplayService({ db, traffic, asns }: ReplayServiceParts): ReplayService {
  const byAccount = createConcurrencyLimit(1);
  return {
    async replay(accountId, routeId, { plugin, requests: limit }, signal) {
      if (!(await routes.findRoute(db, accountId, routeId))) throw notFound();
      const entry = await inTurn(() => checkEntry(plugin));
      return byAccount.run(accountId, async () => {
        const recorded = await traffic.readRecorded(accountId, routeId, { hours: REPLAY_HOURS, limit }, signal);
        const asnOf = await asns.open();
        const run = await inTurn(() => createReplayRun(entry, handlers, asnOf));
        return run.result(await takeAll(run, recorded, signal));
      });
    },
  };
}
