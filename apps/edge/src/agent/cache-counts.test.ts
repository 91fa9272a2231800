import { expect, it } from 'vitest';
import { toAccessLogRow } from './access-log-row.ts';
import { countCache, noCacheCounts } from './cache-counts.ts';

const texts = ['id', 'h', 'm', 'p', 'rp', 'q', 's', 'v', 'c', 'a', 'g', 'ua', 'rf', 'ut', 'us', 'ud', 'x', 'cb'];
const line = (status: string, unstored: string) => {
  const fields = { ...Object.fromEntries(texts.map((name) => [name, ''])), r: 'route account 1', t: 1, i: 1, d: 1 };
  return `${JSON.stringify({ ...fields, o: 100, cs: status, cb: '', cn: unstored })}\n`;
};

it('counts outcomes, and why answers were not stored', () => {
  const counts = noCacheCounts();
  countCache(Buffer.from(line('MISS', 'no_store') + line('HIT', '') + line('', '')), counts);
  expect(counts.requests).toMatchObject({ miss: 1, hit: 1, none: 1 });
  expect(counts.sentBytes).toMatchObject({ miss: 100, hit: 100, none: 100 });
  expect(counts.unstored).toMatchObject({ no_store: 1 });
});

it.each(['toString', 'constructor', '__proto__', 'no_store'])('takes nothing from origins: %s', (written) => {
  const counts = noCacheCounts();
  countCache(Buffer.from(line('', written)), counts);
  if (written !== 'no_store') countCache(Buffer.from(line('MISS', written)), counts);
  expect(counts.unstored).toEqual(noCacheCounts().unstored);
  expect(toAccessLogRow(line('', written).trim())).toMatchObject({ cache: '', cache_reason: '' });
});
