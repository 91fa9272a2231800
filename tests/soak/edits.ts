import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type Route } from '../../packages/contract/index.ts';
import type { CustomerClient } from '../support/instance.ts';

/** What the API has said of one domain, and what it may have done without saying so. */
export interface Edits {
  /** Entry of the block list of each version whose deploy was acknowledged. */
  readonly deployed: Map<number, string>;
  /** What the draft may say: the last acknowledged entry, and those of calls that got no answer since. */
  readonly drafted: Set<string>;
  acknowledged: number;
  failed: number;
  stop(): Promise<void>;
}

/** No visitor's address; no other step has it. */
const entryOf = (step: number) => `8.${(step >> 16) & 255}.${(step >> 8) & 255}.${step & 255}`;
const pluginsWith = (entry: string) => [
  { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: [entry] } },
];

/** Nobody here has the address that it lets in. */
export const refusingAll = [
  {
    name: 'ip-restriction',
    enabled: true,
    config: { whitelistMode: true, blacklistMode: false, allow: ['9.9.9.9'], deny: [] },
  },
];

/** Saves one draft after the other and deploys every third, as the answers allow. */
export function startEdits(client: () => CustomerClient, id: string): Edits {
  let isRunning = true;
  const edits = { deployed: new Map<number, string>(), drafted: new Set<string>(), acknowledged: 0, failed: 0 };
  const save = async (step: number) => {
    const entry = entryOf(step);
    const deploy = step % 3 === 0;
    const { result: before } = await client().getRoute({ params: { id } });
    edits.drafted.add(entry);
    const answer: { result: Route } = await client().updateRoute({
      params: { id },
      ifMatch: before.draft_revision,
      body: { plugins: pluginsWith(entry), deploy },
    });
    edits.drafted.clear();
    edits.drafted.add(entry);
    edits.acknowledged += 1;
    if (deploy && answer.result.version_live !== null) edits.deployed.set(answer.result.version_live, entry);
  };
  const run = async () => {
    for (let step = 1; isRunning; step += 1) {
      try {
        await save(step);
        await wait(300);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        edits.failed += 1;
        await wait(500);
      }
    }
  };
  const running = run();
  return Object.assign(edits, {
    stop: () => {
      isRunning = false;
      return running;
    },
  });
}
