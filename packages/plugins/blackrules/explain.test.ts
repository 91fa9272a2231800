import type { EdgeRoute } from '@cordon/contract/edge-config';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { type TracedRequest, type TraceParts, traceRequest } from '@cordon/plugin-kit/trace';
import { expect, it, vi } from 'vitest';
import type { Part, Rule } from './case-parts.ts';
import { handler } from './edge.ts';
import { explain } from './explain.ts';
import { schema } from './schema.ts';

const parts: TraceParts = {
  handlers: { blackrules: { phase: 'access', handler: handler as never } },
  explanations: { blackrules: explain },
  cdnLoopId: 'cordon-1234',
  now: 1,
};
const visit = { method: 'GET', scheme: 'https', host: 'a.test', path: '/', query: '', headers: [], asn: 0 } as const;

/** The step of the plugin in the trace of a request. */
function stepOf(when: Rule['when'], request: Partial<TracedRequest>, more: Partial<Rule> = {}) {
  const config = schema.parse({ black_rules: [{ name: 'one', when, ...more }] });
  const route = {
    hosts: [{ name: 'a.test', verified: true }],
    upstream: null,
    plugins: [{ name: 'blackrules', config }],
  };
  const traced: TracedRequest = {
    ...{ ...visit, clientAddress: '198.41.128.7', country: '', crawler: '', isPreview: false },
    ...request,
  };
  const { steps } = traceRequest(route as unknown as EdgeRoute, traced, parts);
  return steps.find(({ plugin }) => plugin === 'blackrules');
}
/** What it names, without what conditions have by default. */
const matchedBy = (...given: Parameters<typeof stepOf>) =>
  stepOf(...given)?.matched?.map((part) =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== false)),
  );

const path: Part = { field: 'path', test: 'contains', values: ['wp-login', 'xmlrpc', '.env'] };
const country: Part = { field: 'country', values: ['CN', 'DE', 'RU'] };
const agent: Part = { field: 'user_agent', test: 'contains', values: ['sqlmap', 'nikto', 'curl'] };
const curl = { headers: [{ name: 'User-Agent', value: 'curl/8' }] };
const any: Rule['when'] = { match: 'any', conditions: [path, country, agent] };

it('names of several conditions the ones that the request has, each with the value that fits', () => {
  expect(matchedBy(any, { country: 'DE' })).toEqual([{ field: 'country', values: ['DE'] }]);
  expect(matchedBy(any, { ...curl, path: '/.env' })).toEqual([
    { field: 'path', test: 'contains', values: ['.env'] },
    { field: 'user_agent', test: 'contains', values: ['curl'] },
  ]);
});

it('names all conditions of a rule that needs all, those of its groups too', () => {
  const when = { conditions: [country, { match: 'any' as const, conditions: [path, agent] }] };
  expect(matchedBy(when, { ...curl, country: 'RU' })).toEqual([
    { field: 'country', values: ['RU'] },
    { field: 'user_agent', test: 'contains', values: ['curl'] },
  ]);
});

it('names of a group that needs all nothing where one is missing, and all else', () => {
  const when = { match: 'any' as const, conditions: [{ conditions: [path, agent] }, country] };
  expect(matchedBy(when, { path: '/.env', country: 'DE' })).toEqual([{ field: 'country', values: ['DE'] }]);
  expect(matchedBy(when, { ...curl, path: '/.env' })).toEqual([
    { field: 'path', test: 'contains', values: ['.env'] },
    { field: 'user_agent', test: 'contains', values: ['curl'] },
  ]);
});

it('names the range of IPv6 that holds the address', () => {
  const address: Part = { field: 'address', values: ['198.41.128.0/24', '2606:4700:1::/48', '2606:4700:2::/48'] };
  expect(matchedBy({ conditions: [address] }, { clientAddress: '2606:4700:2::7' })).toEqual([
    { field: 'address', values: ['2606:4700:2::/48'] },
  ]);
});

it('names the range that holds the address, and a pattern as it is', () => {
  const address: Part = { field: 'address', values: ['9.9.9.9', '198.41.128.0/24'] };
  const pattern: Part = { field: 'path', test: 'matches', pattern: '^/user/\\d+$' };
  expect(matchedBy({ conditions: [address, pattern] }, { path: '/user/7' })).toEqual([
    { field: 'address', values: ['198.41.128.0/24'] },
    { field: 'path', test: 'matches', pattern: '^/user/\\d+$' },
  ]);
});

it('leaves whole what is turned round: no single value of it decided', () => {
  const not = { ...country, not: true };
  expect(matchedBy({ conditions: [not] }, { country: 'FR' })).toEqual([not]);
  const [group] = matchedBy({ conditions: [{ match: 'any', not: true, conditions: [path, agent] }] }, {}) ?? [];
  expect(group).toMatchObject({ match: 'any', not: true, conditions: [{ field: 'path' }, { field: 'user_agent' }] });
});

it('says of a rule that allows what fits, as of one that blocks', () =>
  expect(matchedBy(any, { country: 'CN' }, { action: 'allow' })).toEqual([{ field: 'country', values: ['CN'] }]));

it('names of a rule that allows only what fits in every reading, as the edge does', () => {
  const admin: Part = { field: 'path', test: 'begins_with', values: ['/admin'] };
  const request = { country: 'CN', path: '/x;y/..\\admin' };
  expect(matchedBy({ match: 'any', conditions: [admin, country] }, request, { action: 'allow' })).toEqual([
    { field: 'country', values: ['CN'] },
  ]);
});

it('finds a value in any reading that origins have of the path', () => {
  const when = { conditions: [{ field: 'path' as const, test: 'begins_with' as const, values: ['/b', '/admin'] }] };
  expect(matchedBy(when, { path: '/x;y/..\\admin' })).toEqual([
    { field: 'path', test: 'begins_with', values: ['/admin'] },
  ]);
});

it('names nothing where no rule decided, or a doubt did', () => {
  expect(matchedBy(any, {})).toBeUndefined();
  const costly: Part = { field: 'path', test: 'contains', values: Array.from({ length: 100 }, (_, at) => `v${at}`) };
  const conditions = Array.from({ length: 20 }, () => costly);
  const doubtful = stepOf({ match: 'any', conditions }, { path: `/${'a;'.repeat(4_000)}` });
  expect(doubtful).toMatchObject({ reason: 'rule_in_doubt', rule: 'one' });
  expect(doubtful?.matched).toBeUndefined();
});

it('leaves whole a condition of which a doubt keeps it from saying which value fits', () => {
  const values = Array.from({ length: 100 }, (_, at) => `v${at}`);
  const costly: Part = { field: 'path', test: 'contains', values: ['/a;', ...values.slice(1)] };
  // To decide takes most of what a request may cost, to explain twice that.
  const request = { path: `/${'a;'.repeat(4_000)}` };
  const matched = matchedBy({ conditions: [costly, costly] }, request);
  expect(stepOf({ conditions: [costly, costly] }, request)?.reason).toBe('rule_matched');
  expect(matched).toEqual([{ ...costly, values: ['/a;'] }, costly]);
});

it('names no condition that only a doubt lets hold beside the one that decided', () => {
  const values = Array.from({ length: 100 }, (_, at) => `v${at}`);
  const costly: Part = { field: 'path', test: 'contains', values };
  const request = { country: 'DE', path: `/${'a;'.repeat(4_000)}` };
  const conditions = [country, costly, costly, costly];
  expect(matchedBy({ match: 'any', conditions }, request)).toEqual([{ field: 'country', values: ['DE'] }]);
  const inGroups = [country, costly, costly, { conditions: [agent, costly] }];
  expect(matchedBy({ match: 'any', conditions: inGroups }, { ...curl, ...request })).toEqual([
    { field: 'country', values: ['DE'] },
  ]);
});

it('prepares none of thousands of values once more to say which of them fits', () => {
  const [lowerCase, addressSet] = [vi.spyOn(edgeKit, 'lowerCase'), vi.spyOn(edgeKit, 'addressSetAsWritten')];
  const valuesOf = (at: number) => Array.from({ length: 99 }, (_, of) => `/none-${at}-${of}`);
  const texts = Array.from({ length: 19 }, (_, at): Part => {
    return { field: 'path', test: 'is', values: [...valuesOf(at), '/Login'], ignore_case: true };
  });
  const addresses = Array.from({ length: 500 }, (_, at) => `198.41.${at >> 8}.${at & 255}`);
  const address: Part = { field: 'address', values: [...addresses, '198.41.128.0/24'] };
  const matched = matchedBy({ conditions: [...texts, address] }, { path: '/LOGIN' });
  expect(matched).toHaveLength(20);
  expect(matched?.map(({ values }) => values)).toEqual([...texts.map(() => ['/Login']), ['198.41.128.0/24']]);
  // Each value once, and the path.
  expect(lowerCase.mock.calls.length).toBeLessThan(1_910);
  expect(addressSet).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
