// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { sampleRoute } from '../../../domain/testing/sample-route';
import type { ChoosableColumn } from './column-choice';
import { fittingColumns, LEAST_PX } from './column-fit';
import { healthPx, namePx, originPx } from './column-widths';

vi.mock('../../../domain/data/group-queries', () => ({ useGroups: () => [] }));

const short = () => 'Origin down';
const USUAL: readonly ChoosableColumn[] = ['origin', 'requests', 'blocked', 'hit_ratio', 'tls', 'dns'];
const ALL_BUT_RATIO = ['origin', 'requests', 'blocked', 'tls', 'dns', 'chart'] as const;
const named = (name: string) => [sampleRoute({ domain_name_unicode: name, pending_changes: 0 })];
const UNMET = {
  state: 'warning' as const,
  findings: [
    {
      check: 'traffic' as const,
      state: 'warning' as const,
      finding: 'challenges_unmet',
      params: {},
      advice: null,
      since: null,
    },
  ],
};
const plain = named('shop.example');
const long = named('checkout.customer-shop-with-a-very-long-name-10.international.example.com');

describe('columns of the domain list', () => {
  it.each([
    ['all of the usual ones at 1280 px', plain, USUAL, false, 1022, [...USUAL, 'chart']],
    ['all of the usual ones but the hit ratio beside long names', long, USUAL, false, 1022, ALL_BUT_RATIO],
    ['without the chart and TLS at 1000 px', plain, USUAL, false, 742, ['requests', 'blocked', 'origin', 'dns']],
    [
      'what was asked for before what is usual',
      long,
      [...USUAL, 'group', 'remarks'],
      true,
      1022,
      ['requests', 'blocked', 'group', 'remarks', 'tls'],
    ],
    [
      'the figures before what was asked for',
      long,
      [...USUAL, 'group', 'remarks', 'created_at'],
      true,
      1000,
      ['requests', 'blocked', 'group', 'remarks'],
    ],
    ['what only some rows fill last', long, [...USUAL, 'group', 'remarks'], false, 1230, [...USUAL, 'chart', 'group']],
  ] as const)('are %s', (_, rows, chosen, isOwn, room, fitting) => {
    const found = fittingColumns(chosen, isOwn, rows, short, room);
    expect(found.toSorted()).toEqual(fitting.toSorted());
    // The menu of each row stays in sight.
    const widths = found.map((one) => (one === 'origin' ? originPx(rows).least : LEAST_PX[one]));
    const sum = widths.reduce((all, width) => all + width, 88 + namePx(rows, room) + healthPx(rows, short, room));
    expect(sum).toBeLessThanOrEqual(room);
  });

  it.each([
    ['that of the hit ratio beside long names', long, USUAL, false, 1022, 'hit_ratio'],
    ['that of the hit ratio in the narrowest table', plain, USUAL, false, 502, 'hit_ratio'],
    ['one that was asked for after others', long, ['cname', 'created_at'], true, 700, 'created_at'],
  ] as const)('have first of all what the list is sorted by: %s', (_, rows, chosen, isOwn, room, sortedBy) => {
    expect(fittingColumns(chosen, isOwn, rows, short, room)).not.toContain(sortedBy);
    const found = fittingColumns(chosen, isOwn, rows, short, room, sortedBy);
    expect(found[0]).toBe(sortedBy);
  });

  it('leave names the width that has them in two lines', () => {
    expect(namePx(plain, 1022)).toBe(180);
    expect(namePx(long, 1022)).toBeGreaterThan(280);
    expect(namePx(named('中文域名测试.review.example.com'), 1022)).toBe(180);
    expect(namePx(long, 742)).toBeLessThan(230);
  });

  // What the lines take in the browser, in the semibold 14 px, with the padding of the cell: narrower, the last part stands alone.
  it.each([
    ['mammoth-wholesale.warehouse-commerce.example.com', 253],
    ['mail.wwm-homegoods.communication.example.com', 204],
    ['checkout.customer-shop-with-a-very-long-name-10.international.example.com', 288],
  ])('have room for %s in two lines', (name, line) => {
    expect(namePx(named(name), 1022)).toBeGreaterThanOrEqual(line + 16);
    expect(namePx(named(name), 1022)).toBeLessThan(line + 16 + 20);
  });

  it('leave the sign of development mode room beside the name', () => {
    const rows = (endsAt: string | null) =>
      named('mail.wwm-homegoods.communication.example.com').map((row) => ({ ...row, development_ends_at: endsAt }));
    const without = namePx(rows(null), 1022);
    expect(namePx(rows('2026-11-27T10:00:00.000Z'), 1022)).toBeGreaterThanOrEqual(without + 34);
  });

  it('are all of the usual ones beside long names and the longest word of their health', () => {
    const rows = [...long, sampleRoute({ pending_changes: 0, health: { ...UNMET, looked_at: null } })];
    expect(fittingColumns(USUAL, false, rows, () => '人机验证无人通过', 1022)).toContain('chart');
    expect(namePx(rows, 1022)).toBeGreaterThanOrEqual(304);
  });

  it('have what waits beside the health, and TLS and DNS nonetheless', () => {
    const waiting = [sampleRoute({ pending_changes: 2 })];
    expect(healthPx(waiting, short, 1022) - healthPx(plain, short, 1022)).toBe(56);
    const rows = [...named('mail.wwm-homegoods.communication.example.com')];
    rows.push(sampleRoute({ pending_changes: 4, health: { ...UNMET, looked_at: null } }));
    const fitting = fittingColumns(USUAL, false, rows, () => 'Nobody passes the check', 1022);
    expect(fitting).toEqual(expect.arrayContaining(['tls', 'dns']));
  });
});

it('are never fewer in a wider window, where they were chosen', () => {
  const chosen = [...USUAL, 'group', 'remarks', 'cname', 'last_deployed', 'version', 'created_at'] as const;
  let before: readonly string[] = [];
  for (let room = 700; room <= 2400; room += 10) {
    const now = fittingColumns(chosen, true, long, short, room);
    expect(now).toEqual(expect.arrayContaining([...before]));
    before = now;
  }
  expect(before).toHaveLength(chosen.length + 1);
});
