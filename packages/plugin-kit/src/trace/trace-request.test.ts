import type { EdgeRoute } from '@cordon/contract/edge-config';
import { describe, expect, it } from 'vitest';
import type { EdgePlugins } from '../edge/pipeline.ts';
import { STEPS_MAX } from '../edge/request-work.ts';
import type { Explain } from './explain.ts';
import { type TracedRequest, type TraceParts, traceRequest } from './trace-request.ts';

const route = (change: Partial<EdgeRoute> = {}): EdgeRoute => ({
  id: '00000000-0000-4000-8000-000000000001',
  account_id: '00000000-0000-4000-8000-000000000002',
  czone: 'vip01',
  version: 3,
  hosts: [
    { name: 'www.example.com', verified: true },
    { name: '*.example.com', verified: false },
  ],
  tier: 'vip',
  brand: 'cordon',
  traffic_action: 'upstream',
  upstream: {
    protocol: 'http_https',
    targets: [
      { host: 'a.example', port: null, weight: 3, backup: false },
      { host: 'b.example', port: null, weight: 1, backup: false },
      { host: 'c.example', port: null, weight: 9, backup: true },
    ],
    tries: 3,
    connect_timeout_ms: 1,
    send_timeout_ms: 1,
    read_timeout_ms: 1,
    fail_timeout_ms: 1,
    max_fails: 3,
  },
  plugins: [],
  ...change,
});
const request = (change: Partial<TracedRequest> = {}): TracedRequest => ({
  method: 'GET',
  scheme: 'https',
  host: 'www.example.com',
  path: '/',
  query: '',
  headers: [],
  clientAddress: '198.41.128.7',
  country: '',
  asn: 0,
  crawler: '',
  isPreview: false,
  ...change,
});

const seen: string[] = [];
const handlers: EdgePlugins = {
  letting: {
    phase: 'allow',
    handler: { prepare: () => undefined, access: () => ({ kind: 'allow', reason: 'in_list', rule: '198.41.0.0/16' }) },
  },
  guarding: {
    phase: 'access',
    handler: { prepare: () => undefined, access: () => ({ kind: 'block', status: 403, reason: 'no', rule: 'r' }) },
  },
  lacking: {
    phase: 'access',
    handler: {
      prepare: () => undefined,
      isAlternative: () => true,
      access: () => ({ kind: 'block', status: 403, reason: 'lacking', rule: '', isUnmet: true }),
    },
  },
  permitting: {
    phase: 'access',
    handler: { prepare: () => undefined, isAlternative: () => true, access: () => ({ kind: 'permit' }) },
  },
  spending: {
    phase: 'access',
    handler: {
      prepare: () => undefined,
      access: (ctx) => {
        while (ctx.spendOn('', STEPS_MAX, 0));
        return { kind: 'block', status: 403, reason: 'no', rule: 'r' };
      },
    },
  },
  signing: {
    phase: 'challenge',
    handler: {
      prepare: () => undefined,
      access: (ctx) =>
        ctx.isSignedBy('secret', 'text', ctx.argumentValues('sig')[0] ?? '')
          ? undefined
          : { kind: 'block', status: 403, reason: 'no_signature', rule: '' },
    },
  },
  leading: {
    phase: 'redirect',
    handler: {
      prepare: () => undefined,
      access: (ctx) => {
        seen.push(
          `${ctx.request.path} ${ctx.request.rawPath} ${ctx.header('x-a') ?? '-'} ${ctx.cookieValues('c')[0] ?? '-'}`,
        );
        return { kind: 'redirect', status: 302, location: 'https://n.test/', reason: 'sent', rule: '' };
      },
    },
  },
  naming: {
    phase: 'upstream',
    handler: {
      prepare: (config) => config,
      upstream: (prepared, origin) => {
        origin.host = String(prepared);
      },
    },
  },
  adding: {
    phase: 'upstream',
    handler: {
      prepare: () => undefined,
      upstream: (_, origin) => {
        origin.fields.push(
          { name: 'X-Stage', value: 'live' },
          { name: 'Authorization', value: 'Basic c2VjcmV0' },
          { name: 'Cookie', value: 'session=c2VjcmV0' },
        );
      },
    },
  },
  answering: {
    phase: 'response',
    handler: {
      prepare: () => undefined,
      response: (_, response) => {
        response.fields.push({ name: 'X-Of-Customer', value: 'yes' });
      },
    },
  },
  paging: {
    phase: 'error',
    handler: {
      prepare: (config) => config,
      response: (prepared, response) => {
        for (const status of prepared as number[]) response.pages.push({ status, contentType: 'text/html', body: '' });
      },
    },
  },
};
const parts: TraceParts = {
  handlers,
  cdnLoopId: 'cordon-1234',
  now: 1,
};
const plugins = (...names: string[]) => names.map((name) => ({ name, config: 'origin.example' as never }));
const outcomes = (trace: ReturnType<typeof traceRequest>) =>
  trace.steps.map(({ step, plugin, outcome }) => `${plugin || step} ${outcome}`);

describe('a trace', () => {
  it('takes a signature that the log left out for good, and says so at the step of who asked for it', () => {
    const stepsOf = (query: string) =>
      traceRequest(route({ plugins: plugins('signing', 'naming') }), request({ query }), parts).steps.filter(
        ({ step }) => step === 'plugin',
      );
    const [signing, naming] = stepsOf('sig=REDACTED');
    expect(signing).toMatchObject({ plugin: 'signing', outcome: 'pass', isSignatureTaken: true });
    expect(naming).not.toHaveProperty('isSignatureTaken');
    for (const query of ['sig=REDACTED1', 'sig=', '']) {
      const [refused] = stepsOf(query);
      expect(refused).toMatchObject({ outcome: 'block', reason: 'no_signature' });
      expect(refused).not.toHaveProperty('isSignatureTaken');
    }
  });

  it('runs all steps, and tells where a request goes', () => {
    const trace = traceRequest(route(), request(), parts);
    expect(outcomes(trace)).toEqual([
      'request pass',
      'host pass',
      'ownership pass',
      'loop pass',
      'upstream pass',
      'origin_limit pass',
      'origin_tls pass',
    ]);
    expect(trace.answer).toEqual({ kind: 'origin', status: null });
    expect(trace.upstream).toMatchObject({ protocol: 'https', hostHeader: 'www.example.com', tries: 3 });
    expect(trace.upstream?.targets.map(({ port, share }) => [port, share])).toEqual([
      [443, 0.75],
      [443, 0.25],
      [443, 0],
    ]);
    expect(traceRequest(route(), request({ scheme: 'http' }), parts).upstream).toMatchObject({ protocol: 'http' });
  });

  it('skips the protections behind an allow, and nothing else', () => {
    const trace = traceRequest(
      route({ plugins: plugins('letting', 'guarding', 'leading', 'naming') }),
      request(),
      parts,
    );
    expect(outcomes(trace).slice(4)).toEqual([
      'letting allow',
      'guarding skipped',
      'leading redirect',
      'naming not_reached',
      'upstream not_reached',
      'origin_limit not_reached',
      'origin_tls not_reached',
    ]);
    expect(trace.answer).toEqual({ kind: 'redirect', status: 302 });
    expect(trace.steps.find(({ plugin }) => plugin === 'letting')?.rule).toBe('198.41.0.0/16');
  });

  it('ends at a block, and shows what was not reached', () => {
    const trace = traceRequest(route({ plugins: plugins('guarding', 'letting') }), request(), parts);
    expect(outcomes(trace).slice(4)).toEqual([
      'guarding block',
      'letting not_reached',
      'upstream not_reached',
      'origin_limit not_reached',
      'origin_tls not_reached',
    ]);
    expect(trace).toMatchObject({ answer: { kind: 'block', status: 403 }, upstream: null, sent: [], dropped: [] });
  });

  it('shows no refusal for a lack that an alternative makes void, and shows one that stands', () => {
    const permitted = traceRequest(route({ plugins: plugins('lacking', 'permitting') }), request(), parts);
    expect(outcomes(permitted).slice(4, 7)).toEqual(['lacking pass', 'permitting pass', 'upstream pass']);
    const standing = traceRequest(route({ plugins: plugins('lacking', 'naming') }), request(), parts);
    expect(outcomes(standing).slice(4, 7)).toEqual(['lacking block', 'naming not_reached', 'upstream not_reached']);
    expect(standing.answer).toEqual({ kind: 'block', status: 403 });
  });

  it('explains a verdict with all that a request may cost, though it has cost as much to decide', () => {
    const explanations = {
      spending: ((_, { rule }, ctx) => [{ rule, hasSteps: ctx.spendOn('', STEPS_MAX, 0) }]) satisfies Explain<unknown>,
    };
    const { steps } = traceRequest(route({ plugins: plugins('spending') }), request(), { ...parts, explanations });
    expect(steps.find(({ plugin }) => plugin === 'spending')?.matched).toEqual([{ rule: 'r', hasSteps: true }]);
  });

  it('shows what a plugin changes about the request to the origin', () => {
    const trace = traceRequest(route({ plugins: plugins('naming') }), request(), parts);
    expect(trace.steps.find(({ plugin }) => plugin === 'naming')).toMatchObject({
      outcome: 'changes',
      detail: 'origin.example',
    });
    expect(trace.upstream?.hostHeader).toBe('origin.example');
    expect(trace.sent).toContainEqual({ name: 'Host', value: 'origin.example', by: 'edge' });
  });

  it('shows the values of fields that a plugin sets, but none that signs somebody in', () => {
    const trace = traceRequest(route({ plugins: plugins('adding', 'answering') }), request(), parts);
    expect(trace.steps.flatMap(({ fields }) => (fields ? [fields] : []))).toEqual([
      [
        { name: 'X-Stage', value: 'live' },
        { name: 'Authorization', value: null },
        { name: 'Cookie', value: null },
      ],
      [{ name: 'X-Of-Customer', value: 'yes' }],
    ]);
    for (const name of ['Authorization', 'Cookie'])
      expect(trace.sent).toContainEqual({ name, value: '{secret}', by: 'edge' });
    expect(JSON.stringify(trace)).not.toContain('c2VjcmV0');
  });

  const FIELDS = 'changes response_fields X-Of-Customer';
  const NOTHING = 'not_reached  ';
  it.each([
    ['a refusal with a page of its status', ['guarding'], {}, [403, 404], FIELDS, 'changes error_pages 403'],
    ['a refusal without one', ['guarding'], {}, [404], NOTHING, NOTHING],
    ['a redirect', ['leading'], {}, [302, 403], FIELDS, NOTHING],
    ['an origin’s answer', [], {}, [403, 404], FIELDS, 'changes error_pages 403, 404'],
    ['an origin’s answer, without any page', [], {}, [], FIELDS, 'pass  '],
    ['a refusal of the edge itself', [], { host: 'shop.example.com' }, [421], FIELDS, 'changes error_pages 421'],
    ['a refusal of the edge itself, without a page', [], { host: 'shop.example.com' }, [403], NOTHING, NOTHING],
    ['a refusal for a name of no route', [], { host: 'example.org' }, [421], NOTHING, NOTHING],
  ] as const)('shows what plugins change about %s', (_, names, change, statuses, fields, page) => {
    const entries = [...plugins(...names, 'answering'), { name: 'paging', config: statuses as never }];
    const { steps } = traceRequest(route({ plugins: entries }), request(change), parts);
    const said = (name: string) =>
      steps.filter(({ plugin }) => plugin === name).map((step) => `${step.outcome} ${step.reason} ${step.detail}`);
    expect([said('answering'), said('paging')]).toEqual([[fields], [page]]);
  });

  it.each([
    ['prefers JSON', 'application/json', 'pass  '],
    ['takes either', 'text/html, application/json', 'changes error_pages 404'],
  ])('shows no page to a visitor that %s, unless it takes HTML as well', (_, accept, page) => {
    const headers = [{ name: 'accept', value: accept }];
    const paging = { name: 'paging', config: [404] as never };
    const { steps } = traceRequest(route({ plugins: [paging] }), request({ headers }), parts);
    expect(
      steps.flatMap((step) => (step.plugin === 'paging' ? [`${step.outcome} ${step.reason} ${step.detail}`] : [])),
    ).toEqual([page]);
  });

  it.each([
    [[502], FIELDS, 'changes error_pages 502'],
    [[403], 'pass  ', 'pass  '],
  ] as const)('shows what plugins change where there is no target, with pages for %j', (statuses, fields, page) => {
    const entries = [...plugins('answering'), { name: 'paging', config: statuses as never }];
    const { steps } = traceRequest(route({ plugins: entries, upstream: null }), request(), parts);
    const said = steps
      .filter(({ plugin }) => plugin !== '')
      .map((step) => `${step.outcome} ${step.reason} ${step.detail}`);
    expect(said).toEqual([fields, page]);
  });

  it.each([
    ['of a name that is not proved', { host: 'shop.example.com' }, 'ownership', 421, 'not_verified'],
    ['of an unknown name', { host: 'example.org' }, 'host', 421, 'unknown_host'],
    ['of no name', { host: '[::1]:80' }, 'request', 400, 'bad_request'],
    ['that leads above the root', { path: '/a/../../b' }, 'request', 400, 'bad_request'],
    ['with a broken escape', { path: '/%zz' }, 'request', 400, 'bad_request'],
    [
      'that was here before',
      { headers: [{ name: 'cdn-loop', value: 'other, CORDON-1234; v=1' }] },
      'loop',
      508,
      'loop',
    ],
    [
      'with too many fields',
      { headers: Array.from({ length: 201 }, () => ({ name: 'x', value: '' })) },
      'request',
      400,
      'bad_request',
    ],
  ] as const)('refuses a request %s', (_, change, step, status, reason) => {
    const trace = traceRequest(route({ plugins: plugins('letting') }), request(change), parts);
    const refused = trace.steps.find(({ outcome }) => outcome === 'block');
    expect(refused).toMatchObject({ step, status, reason });
    expect(trace.steps.find(({ plugin }) => plugin === 'letting')?.outcome).toBe('not_reached');
  });

  it('sends visitors without TLS of a domain that forces HTTPS there, before any plugin', () => {
    const forced = route({ plugins: plugins('guarding', 'naming'), https: { force: true, hsts: 'max-age=86400' } });
    const trace = traceRequest(forced, request({ scheme: 'http', path: '/a', query: 'b=c' }), parts);
    expect(trace.answer).toEqual({ kind: 'redirect', status: 301 });
    const step = trace.steps.find(({ outcome }) => outcome === 'redirect');
    expect(step).toMatchObject({ step: 'https', reason: 'force_https' });
    expect(step?.location).toMatch(/^https:\/\/[a-z.]+\/a\?b=c$/);
    expect(outcomes(trace).slice(5)).toEqual([
      'guarding not_reached',
      'naming not_reached',
      'upstream not_reached',
      'origin_limit not_reached',
      'origin_tls not_reached',
    ]);
    const secure = traceRequest(forced, request({ scheme: 'https' }), parts).steps.find(({ step }) => step === 'https');
    expect(secure).toMatchObject({ outcome: 'changes', fields: [{ value: 'max-age=86400' }] });
    const preview = traceRequest(forced, request({ scheme: 'http', isPreview: true }), parts);
    expect(preview.steps.find(({ step }) => step === 'https')?.outcome).toBe('pass');
  });

  it('shows a preview what others do not see yet, and finds the nearest name', () => {
    const trace = traceRequest(route(), request({ host: 'Shop.Example.com.:8443', isPreview: true }), parts);
    expect(trace.steps.find(({ step }) => step === 'host')?.detail).toBe('*.example.com');
    expect(trace.steps.find(({ step }) => step === 'ownership')).toMatchObject({ outcome: 'pass', detail: 'preview' });
  });

  it('says that there is no target', () => {
    const trace = traceRequest(route({ upstream: null }), request(), parts);
    expect(trace.answer).toEqual({ kind: 'block', status: 502 });
    expect(trace.steps.find(({ step }) => step === 'upstream')).toMatchObject({
      outcome: 'block',
      reason: 'no_upstream',
    });
    expect(outcomes(trace).slice(-2)).toEqual(['origin_limit not_reached', 'origin_tls not_reached']);
  });

  it.each([
    [{}, 'https', '', 'off'],
    [{ connection_limit: 0, tls_verification: 'strict' }, 'https', '', 'strict'],
    [{ connection_limit: 40, tls_verification: 'custom', tls_ca: 'PEM' }, 'https', '40', 'custom'],
    // Spoken to as the visitor came: without TLS there is nothing to verify.
    [{ connection_limit: 40, tls_verification: 'strict' }, 'http', '40', ''],
  ] as const)(
    'says how many requests the origin takes and how its certificate is verified: %j over %s',
    (settings, scheme, limit, verification) => {
      const { upstream } = route();
      const trace = traceRequest(
        route({ upstream: upstream && { ...upstream, ...settings } }),
        request({ scheme }),
        parts,
      );
      expect(trace.steps.slice(-2).map(({ step, detail }) => [step, detail])).toEqual([
        ['origin_limit', limit],
        ['origin_tls', verification],
      ]);
    },
  );

  it('gives plugins the path decoded and as it came, and no field that nginx drops', () => {
    seen.length = 0;
    const headers = [
      { name: 'X_A', value: 'no' },
      { name: 'X-A', value: 'yes' },
      { name: 'Cookie', value: 'b=1; c=2' },
    ];
    traceRequest(route({ plugins: plugins('leading') }), request({ path: '/a%2Fb/./c/../%C3%A9', headers }), parts);
    expect(seen).toEqual(['/a/b/é /a%2Fb/./c/../%C3%A9 yes 2']);
  });

  it('takes no address that is none', () => {
    expect(() => traceRequest(route(), request({ clientAddress: 'nobody' }), parts)).toThrow(RangeError);
  });
});
