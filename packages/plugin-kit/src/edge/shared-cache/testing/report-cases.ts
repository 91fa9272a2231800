import type { CacheReport } from '../cache-status.ts';

interface TitledCase {
  readonly title: string;
  readonly report: CacheReport;
  readonly text: string;
}

const HIT: CacheReport = {
  forward: undefined,
  forwardStatus: undefined,
  freshSeconds: undefined,
  isStored: false,
  isCollapsed: undefined,
  detail: '',
};
const MISS: CacheReport = { ...HIT, forward: 'uri-miss' };

const on = (title: string, report: CacheReport, text: string): TitledCase => ({ title, report, text });

export const REPORT_CASES: readonly TitledCase[] = [
  on('RFC 9211 2.1: hit', HIT, 'Cordon; hit'),
  on('RFC 9211 2.4: ttl', { ...HIT, freshSeconds: 376 }, 'Cordon; hit; ttl=376'),
  on('RFC 9211 2.4: ttl of what is stale', { ...HIT, freshSeconds: -412 }, 'Cordon; hit; ttl=-412'),
  on('RFC 9211 2.4: ttl in whole seconds', { ...HIT, freshSeconds: 1.9 }, 'Cordon; hit; ttl=1'),
  on('RFC 9211 2.4: ttl that ends now', { ...HIT, freshSeconds: 0 }, 'Cordon; hit; ttl=0'),
  ...(['bypass', 'method', 'uri-miss', 'vary-miss', 'miss', 'request', 'stale', 'partial'] as const).map((forward) =>
    on(`RFC 9211 2.2: fwd=${forward}`, { ...MISS, forward }, `Cordon; fwd=${forward}`),
  ),
  on(
    'RFC 9211 2.3: fwd-status',
    { ...MISS, forward: 'stale', forwardStatus: 304 },
    'Cordon; fwd=stale; fwd-status=304',
  ),
  on('RFC 9211 2.5: stored', { ...MISS, isStored: true }, 'Cordon; fwd=uri-miss; stored'),
  on('RFC 9211 2.6: collapsed', { ...MISS, isCollapsed: true }, 'Cordon; fwd=uri-miss; collapsed'),
  on('RFC 9211 2.6: not collapsed after all', { ...MISS, isCollapsed: false }, 'Cordon; fwd=uri-miss; collapsed=?0'),
  on('RFC 9211 2.8: detail as a token', { ...MISS, detail: 'no_store' }, 'Cordon; fwd=uri-miss; detail=no_store'),
  on('RFC 9211 2.8: detail as a string', { ...MISS, detail: 'a b' }, 'Cordon; fwd=uri-miss; detail="a b"'),
  on('RFC 8941 4.1.7: a token begins with a letter', { ...HIT, detail: '1a' }, 'Cordon; hit; detail="1a"'),
  on('RFC 8941 4.1.7: or with a star', { ...HIT, detail: '*a' }, 'Cordon; hit; detail=*a'),
  on(
    'RFC 8941 4.1.6: quotes and backslashes in a string',
    { ...HIT, detail: 'a"\\' },
    'Cordon; hit; detail="a\\"\\\\"',
  ),
  on('RFC 8941 4.1.6: what a string cannot have', { ...HIT, detail: 'a\r\nb\x7f' }, 'Cordon; hit; detail="a??b?"'),
  on(
    'RFC 9211 2.1: what only means something with fwd',
    { ...HIT, forwardStatus: 200, isStored: true, isCollapsed: true },
    'Cordon; hit',
  ),
  on(
    'RFC 9211 2: all of it',
    { forward: 'vary-miss', forwardStatus: 200, freshSeconds: 60, isStored: true, isCollapsed: true, detail: 'x' },
    'Cordon; fwd=vary-miss; fwd-status=200; stored; collapsed; ttl=60; detail=x',
  ),
];
