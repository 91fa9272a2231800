import { describe, expect, it } from 'vitest';
import type { AnyEdgeHandler, EdgeContext, Verdict } from './context.ts';
import { edgeKit } from './kit.ts';
import type { Phase } from './phases.ts';
import {
  changesOfAnswer,
  type EdgePlugins,
  isRepeatableField,
  pipelineStart,
  preparePlugins,
  runPipeline,
} from './pipeline.ts';

const block: Verdict = { kind: 'block', status: 403, reason: 'forbidden', rule: '' };
const unmet: Verdict = { kind: 'block', status: 403, reason: 'lacking', rule: '', isUnmet: true };
const permit: Verdict = { kind: 'permit' };
const allow: Verdict = { kind: 'allow', reason: 'listed', rule: '' };

interface Given {
  readonly phase?: Phase;
  readonly says?: Verdict;
  readonly isAlternative?: boolean;
}

/** Runs plugins that say what they are given, from where a position stands; who had a turn, and how it ended. */
function run(given: Readonly<Record<string, Given>>) {
  const registry: Record<string, EdgePlugins[string]> = {};
  for (const [name, { phase = 'access', says, isAlternative }] of Object.entries(given)) {
    const handler: AnyEdgeHandler = {
      prepare: () => undefined,
      access: () => says,
      ...(isAlternative ? { isAlternative: () => true } : {}),
    };
    registry[name] = { phase, handler };
  }
  const entries = Object.keys(given).map((name) => ({ name, config: {} }));
  const { deciders } = preparePlugins(entries, registry, edgeKit, () => {});
  const turns: string[] = [];
  const end = runPipeline(
    deciders,
    {} as EdgeContext,
    pipelineStart(),
    ({ name }) => turns.push(name),
    ({ name }, isSkipped) => turns.push(isSkipped ? `${name} skipped` : name),
  );
  return { turns, end: end && `${end.plugin.name} ${end.verdict.reason}` };
}

describe('the pipeline', () => {
  it('asks every plugin while none refuses', () =>
    expect(run({ a: {}, b: { phase: 'waf' } })).toEqual({ turns: ['a', 'b'], end: undefined }));

  it('ends at the first refusal', () =>
    expect(run({ a: { says: block }, b: {} })).toEqual({ turns: ['a'], end: 'a forbidden' }));

  it('skips the protections behind an allow, the WAF too, and nothing after them', () => {
    const { turns, end } = run({
      list: { phase: 'allow', says: allow },
      guard: { says: block },
      waf: { phase: 'waf', says: block },
      lead: { phase: 'redirect', says: block },
    });
    expect(turns).toEqual(['list', 'guard skipped', 'waf skipped', 'lead']);
    expect(end).toBe('lead forbidden');
  });

  it('refuses for a lack at once where plugins are no alternatives, and a permit changes nothing', () => {
    expect(run({ a: { says: unmet }, b: { says: permit } })).toEqual({ turns: ['a'], end: 'a lacking' });
    expect(run({ a: { says: permit }, b: { says: unmet } }).end).toBe('b lacking');
  });
});

describe('a challenge', () => {
  /** What a client that has proved itself at second 100 is answered. */
  const answerTo = (since?: number) => {
    const says: Verdict = { kind: 'challenge', way: 'js', reason: 'proof', rule: '', ...(since ? { since } : {}) };
    const registry: EdgePlugins = {
      a: { phase: 'challenge', handler: { prepare: () => undefined, access: () => says } },
    };
    const { deciders } = preparePlugins([{ name: 'a', config: {} }], registry, edgeKit, () => {});
    const ctx = { now: 120, provedAt: () => 100 } as unknown as EdgeContext;
    return runPipeline(deciders, ctx, pipelineStart(), () => {})?.verdict.kind ?? 'pass';
  };

  it('is met by a proof of the second from which on proofs count, and by none before', () =>
    expect([undefined, 99, 100, 101].map(answerTo)).toEqual(['pass', 'pass', 'pass', 'challenge']));
});

describe('alternatives of a phase', () => {
  it('let a request pass that one of them permits, whichever comes first', () => {
    expect(run({ a: { says: unmet, isAlternative: true }, b: { says: permit } }).end).toBeUndefined();
    expect(run({ a: { says: permit }, b: { says: unmet, isAlternative: true } }).end).toBeUndefined();
  });

  it('refuse what none of them permits, in the words of the first', () => {
    expect(run({ a: { says: unmet }, b: { says: unmet, isAlternative: true } }).end).toBe('a lacking');
    expect(run({ a: { says: undefined }, b: { says: unmet, isAlternative: true } }).end).toBe('b lacking');
  });

  it('refuse before the next phase has a turn', () =>
    expect(run({ a: { says: unmet, isAlternative: true }, later: { phase: 'rate' } })).toEqual({
      turns: ['a'],
      end: 'a lacking',
    }));

  it('refuse what one of them forbids, permitted or not', () => {
    expect(run({ a: { says: permit }, b: { says: block, isAlternative: true } }).end).toBe('b forbidden');
    expect(run({ a: { says: unmet }, b: { says: block, isAlternative: true } }).end).toBe('b forbidden');
  });

  it('are none for the plugins of another phase', () => {
    expect(run({ a: { says: permit, isAlternative: true }, b: { phase: 'rate', says: unmet } }).end).toBe('b lacking');
  });

  it('are permitted by none of an earlier phase, alternatives in their own as they are', () => {
    const permitting = { says: permit, isAlternative: true };
    const lacking = { phase: 'rate', says: unmet, isAlternative: true } as const;
    expect(run({ a: permitting, b: lacking }).end).toBe('b lacking');
    expect(run({ a: permitting, between: { phase: 'challenge' }, b: { ...lacking, phase: 'waf' } }).end).toBe(
      'b lacking',
    );
  });
});

describe('what plugins change', () => {
  const setting = (fields: { name: string; value: string }[], host?: string): AnyEdgeHandler => ({
    prepare: () => undefined,
    upstream: (_, origin) => {
      if (host) origin.host = host;
      origin.fields.push(...fields);
    },
    response: (_, response) => {
      response.fields.push(...fields);
    },
  });

  it('comes together, a later field in place of an earlier one of the same name', () => {
    const plugins: EdgePlugins = {
      a: {
        phase: 'upstream',
        handler: setting(
          [
            { name: 'X-A', value: '1' },
            { name: 'X-B', value: '1' },
          ],
          'one.test',
        ),
      },
      b: { phase: 'upstream', handler: setting([{ name: 'x-b', value: '2' }]) },
    };
    const entries = [
      { name: 'a', config: {} },
      { name: 'b', config: {} },
    ];
    const prepared = preparePlugins(entries, plugins, edgeKit, () => {});
    const fields = [
      { name: 'X-A', value: '1' },
      { name: 'x-b', value: '2' },
    ];
    expect(prepared).toMatchObject({
      originHost: 'one.test',
      originFields: fields,
      responseFields: fields,
      deciders: [],
    });
  });

  it('is one page for a status, the later plugin’s', () => {
    const paging = (...pages: [number, string][]): AnyEdgeHandler => ({
      prepare: () => undefined,
      response: (_, response) => {
        for (const [status, body] of pages) response.pages.push({ status, contentType: 'text/html', body });
      },
    });
    const plugins: EdgePlugins = {
      a: { phase: 'error', handler: paging([403, 'a'], [404, 'a']) },
      b: { phase: 'error', handler: paging([403, 'b']) },
    };
    const entries = [
      { name: 'a', config: {} },
      { name: 'b', config: {} },
    ];
    const { errorPages } = preparePlugins(entries, plugins, edgeKit, () => {});
    expect(errorPages.map(({ status, body }) => [status, body])).toEqual([
      [404, 'a'],
      [403, 'b'],
    ]);
  });

  it.each([
    ['an origin’s answer with a page', 'origin', 'page', { page: 'page', fields: ['field'] }],
    ['an origin’s answer without one', 'origin', undefined, { page: undefined, fields: ['field'] }],
    ['the edge’s own page of the customer', 'edge', 'page', { page: 'page', fields: ['field'] }],
    ['the brand’s page, which stays as it is', 'edge', undefined, { page: undefined, fields: [] }],
    ['a redirect, which has no page', 'redirect', 'page', { page: undefined, fields: ['field'] }],
  ] as const)('is, of %s', (_, source, page, changes) => {
    expect(changesOfAnswer(source, page, ['field'])).toEqual(changes);
  });

  it.each(['Set-Cookie', 'LINK', 'vary', 'Server-Timing', 'WWW-Authenticate'])(
    'stands beside the origin’s where it is %s',
    (name) => expect(isRepeatableField(name)).toBe(true),
  );

  it.each(['Cache-Control', 'Content-Type', 'Server', 'X-Vary'])('takes the place of the origin’s %s', (name) =>
    expect(isRepeatableField(name)).toBe(false),
  );

  it('leaves out a plugin that this node does not know, and says so', () => {
    const unknown: string[] = [];
    const prepared = preparePlugins([{ name: 'newer', config: {} }], {}, edgeKit, (name) => unknown.push(name));
    expect([prepared.all, unknown]).toEqual([[], ['newer']]);
  });
});
