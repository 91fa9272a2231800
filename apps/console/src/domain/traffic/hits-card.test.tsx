// @vitest-environment happy-dom
import type { CacheSummary } from '@cordon/contract';
import { cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { cacheSummaryOf } from '../testing/sample-cache';
import HitsCard from './hits-card';

async function cardOf(cache: CacheSummary, locale: 'en' | 'zh' = 'en') {
  const overview = { cache, range: '24h', to: '2026-11-20T10:20:00Z', bucket_seconds: 900 } as const;
  await renderDomains(<HitsCard overview={overview} label="hits" href="#/there" />, locale);
  const link = await screen.findByRole('link', { name: 'hits' });
  expect(link.getAttribute('href')).toBe('#/there');
  const card = link.closest('section') as HTMLElement;
  const text = card.textContent.replaceAll('\u00a0', ' ').trim();
  const hasChart = card.querySelector('svg[preserveAspectRatio]') !== null;
  cleanup();
  return { text, hasChart };
}

const now = { hit: 900, revalidated: 12, miss: 88 };
const before = { hit: 906, bypass: 94 };

it.each([
  ['en', 'hits91.2%+0.6 points vs. previous 24 h912 kB saved'],
  ['zh', 'hits91.2%+0.6 个百分点 较前 24 小时节省 912 kB'],
] as const)('has the hit ratio, its change and what was saved (%s)', async (locale, text) => {
  expect(await cardOf(cacheSummaryOf(now, before), locale)).toEqual({ text, hasChart: true });
});

it.each([
  ['en', 'hits–No cache on All from origin'],
  ['zh', 'hits–未开启缓存全部回源'],
] as const)(
  'says of requests without any cache that all came from the origin, and no 0 % (%s)',
  async (locale, text) => {
    expect(await cardOf(cacheSummaryOf({ uncached: 500 }, { uncached: 3 }), locale)).toEqual({ text, hasChart: false });
  },
);

it('says nothing of requests that no origin could have been asked for', async () => {
  expect(await cardOf(cacheSummaryOf({}))).toEqual({ text: 'hits–', hasChart: false });
});

it('has a ratio of nothing where a cache was on, or has been before', async () => {
  expect((await cardOf(cacheSummaryOf({ bypass: 5 }))).text).toBe('hits0%0 B saved');
  expect((await cardOf(cacheSummaryOf({ uncached: 5 }, { hit: 1, miss: 1 }))).text).toContain('0%-50 points');
});
