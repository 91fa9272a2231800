// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { isStale, type Save, useSaves } from './use-saves';

interface Thing {
  readonly revision: number;
  readonly text: string;
}
type Sent = Save<Thing, string>;
/** What becomes of a save and of its answer. */
type Line = 'answered' | 'lost' | 'notSent';

const NETWORK = () => new ApiError(0, undefined, undefined, ['Request error']);
const STALE = () => new ApiError(412, 'STALE_REVISION', undefined, ['code.STALE_REVISION']);

/** The API as it is, behind a line that loses answers. */
function setUp() {
  let now: Thing = { revision: 1, text: 'first' };
  const done = new Map<string, Thing>();
  const lines: Line[] = [];
  const changes: string[] = [];
  function change(text: string): Thing {
    changes.push(text);
    now = { revision: now.revision + 1, text };
    return now;
  }
  const send = vi.fn(async ({ upon, body, idempotencyKey = '' }: Sent): Promise<Thing> => {
    const line = lines.shift() ?? 'answered';
    if (line === 'notSent') throw NETWORK();
    const known = done.get(idempotencyKey);
    const isRefused = !known && upon.revision !== now.revision;
    const answer = isRefused ? undefined : (known ?? change(body));
    if (answer) done.set(idempotencyKey, answer);
    if (line === 'lost') throw NETWORK();
    if (!answer) throw STALE();
    return answer;
  });
  const hook = renderHook(() =>
    useSaves<Thing, string>({ send, revisionOf: ({ revision }) => revision, readNewest: async () => now }),
  );
  const begun = now;
  return {
    begun,
    changes,
    /** What the next ones meet. */
    meets: (...next: Line[]) => void lines.push(...next),
    /** Another user's. */
    change,
    hook,
    send,
    save: (body: string, upon = begun) =>
      act(() =>
        hook.result.current.save(upon, body).then(
          (saved) => saved.text,
          (error: unknown) => (isStale(error) ? 'stale' : 'unanswered'),
        ),
      ),
    isUnanswered: () => hook.result.current.isUnanswered,
    latest: () => hook.result.current.latestOf(begun).text,
  };
}

it('does once what is asked for again, whether it was done or not', async () => {
  for (const line of ['lost', 'notSent'] as const) {
    const { save, meets, isUnanswered, changes } = setUp();
    meets(line);
    expect([await save('mine'), isUnanswered()]).toEqual(['unanswered', true]);
    expect([await save('mine'), isUnanswered()]).toEqual(['mine', false]);
    expect(changes).toEqual(['mine']);
  }
});

it('saves what was typed since upon what was done, and asks nothing', async () => {
  const { save, meets, isUnanswered, changes } = setUp();
  meets('lost');
  await save('mine');
  expect([await save('mine, longer'), isUnanswered()]).toEqual(['mine, longer', false]);
  expect(changes).toEqual(['mine', 'mine, longer']);
});

it('goes on from one’s own where another change came between, and says that one did', async () => {
  const { save, meets, change, latest, isUnanswered, begun, hook } = setUp();
  meets('lost');
  await save('mine');
  const theirs = change('theirs');
  expect([await save('mine, longer'), isUnanswered(), latest()]).toEqual(['stale', false, 'mine']);
  // What is another's since is compared with one's own.
  expect(hook.result.current.latestOf(begun).revision).toBe(theirs.revision - 1);
});

it('does not say of what was replaced since that it is saved', async () => {
  const { save, meets, change, latest, isUnanswered, changes } = setUp();
  meets('lost');
  await save('mine');
  change('theirs');
  // Compared with what it began with, the two are a conflict.
  expect([await save('mine'), isUnanswered(), latest()]).toEqual(['stale', false, 'first']);
  expect(changes).toEqual(['mine', 'theirs']);
});

it('stays unanswered while nothing says what became of it, and blames nobody', async () => {
  const { save, meets, isUnanswered, latest, changes } = setUp();
  meets('lost', 'answered', 'lost');
  await save('mine');
  expect([await save('mine, longer'), isUnanswered(), latest()]).toEqual(['unanswered', true, 'first']);
  expect([await save('mine, longest'), isUnanswered()]).toEqual(['mine, longest', false]);
  expect(changes).toEqual(['mine', 'mine, longest']);
});

it.each(['OPERATION_RUNNING', 'ANSWER_LOST'] as const)('waits for what it is asked about: %s', async (code) => {
  const { save, meets, isUnanswered, send, latest } = setUp();
  meets('lost');
  await save('mine');
  send.mockImplementationOnce(() => Promise.reject(STALE()));
  send.mockImplementationOnce(() => Promise.reject(new ApiError(409, code, undefined, [`code.${code}`])));
  expect([await save('mine, longer'), isUnanswered(), latest()]).toEqual(['unanswered', true, 'first']);
});

it('says of another user’s change that it is one, where none of one’s own was done', async () => {
  const { save, meets, change, isUnanswered, latest } = setUp();
  meets('notSent');
  await save('mine');
  change('theirs');
  expect([await save('mine, longer'), isUnanswered(), latest()]).toEqual(['stale', false, 'first']);
});

it('forgets what was in doubt where it is given up', async () => {
  const { save, meets, isUnanswered, hook, changes } = setUp();
  meets('lost');
  await save('mine');
  act(() => hook.result.current.forget());
  expect([isUnanswered(), await save('other')]).toEqual([false, 'stale']);
  expect(changes).toEqual(['mine']);
});
