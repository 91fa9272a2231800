import type { AnyEdgeHandler, EdgeHandler } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import { createPlainContext, createPlainState } from '../edge/plain-context.ts';

/** What a client is answered under `current` that has sent so many requests under the configuration of before. */
export function answerAfter<Config, Prepared>(
  handler: EdgeHandler<Config, Prepared>,
  former: Config,
  times: number,
  current: Config,
): string | undefined {
  const { prepare, access } = handler as AnyEdgeHandler;
  const state = createPlainState();
  const answers = [...Array.from({ length: times }, () => former), current].map((config) => {
    const plain = { method: 'GET', scheme: 'https', host: 'a.test', path: '/login', query: '', headers: [] } as const;
    const visitor = { clientAddress: { family: 4, words: [0xcb007107] }, country: '', crawler: '' } as const;
    // Windows of any length begin here, in the same tenth.
    const ctx = createPlainContext({ ...plain, ...visitor, now: 86_400_000 }, state);
    return access?.(ctx, prepare(config, edgeKit, undefined))?.kind ?? 'pass';
  });
  return answers.at(-1);
}
