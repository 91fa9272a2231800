import type { CacheForward } from '../cache-status.ts';
import { CACHE_BYPASSES, type CacheBypass, type UnstoredReason } from '../types.ts';

/** What became of a request. */
export type ReportCase =
  | { readonly hit: number }
  | { readonly failure: string; readonly freshSeconds: number }
  | { readonly bypass: CacheBypass }
  | {
      readonly forward: CacheForward;
      readonly status: number;
      readonly unstored?: UnstoredReason;
      readonly freshSeconds?: number;
    };

interface TitledCase {
  readonly title: string;
  readonly report: ReportCase;
  readonly text: string;
}

const on = (title: string, report: ReportCase, text: string): TitledCase => ({ title, report, text });
const miss = { forward: 'uri-miss', status: 200 } as const;

export const REPORT_CASES: readonly TitledCase[] = [
  on('RFC 9211 2.1, 2.4: hit, and ttl', { hit: 376 }, 'Cordon; hit; ttl=376'),
  on('RFC 9211 2.4: ttl of what is stale', { hit: -412 }, 'Cordon; hit; ttl=-412'),
  on('RFC 9211 2.4: ttl that ends now', { hit: 0 }, 'Cordon; hit; ttl=0'),
  on(
    'RFC 9211 2.1, 2.2: no hit where the origin was asked in vain',
    { failure: '503', freshSeconds: -412 },
    'Cordon; fwd=stale; fwd-status=503; ttl=-412; detail=stale_if_error',
  ),
  ...(['uri-miss', 'vary-miss', 'request', 'stale'] as const).map((forward) =>
    on(`RFC 9211 2.2: fwd=${forward}`, { ...miss, forward }, `Cordon; fwd=${forward}; fwd-status=200`),
  ),
  ...CACHE_BYPASSES.map((bypass) =>
    on(
      `RFC 9211 2.2, 2.8: passed by because of ${bypass}`,
      { bypass },
      bypass === 'method' ? 'Cordon; fwd=method' : `Cordon; fwd=bypass; detail=${bypass}`,
    ),
  ),
  on(
    'RFC 9211 2.3: fwd-status',
    { forward: 'stale', status: 304, freshSeconds: 60 },
    'Cordon; fwd=stale; fwd-status=304; stored; ttl=60',
  ),
  on(
    'RFC 9211 2.5: stored, though stale',
    { ...miss, freshSeconds: -5 },
    'Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=-5',
  ),
  on(
    'RFC 9211 2.8: why it was not stored',
    { ...miss, unstored: 'no_store' },
    'Cordon; fwd=uri-miss; fwd-status=200; detail=no_store',
  ),
  on(
    'RFC 9211 2.4, 2.5: nothing of a lifetime where it was not stored',
    { ...miss, unstored: 'private', freshSeconds: 60 },
    'Cordon; fwd=uri-miss; fwd-status=200; detail=private',
  ),
];
