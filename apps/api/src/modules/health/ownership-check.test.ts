import type { DiagnosisItem } from '@cordon/contract';
import { expect, it } from 'vitest';
import { judgeOwnership } from './ownership-check.ts';

const route = {
  account_id: 'a',
  domain_name: 'www.example.com',
  cname: 'x.edge.test',
  ownership_state: 'verified',
  ownership_method: 'cname',
  proof_needed_until: null,
} as const;
const aim = { cname: route.cname, czoneAddresses: ['192.0.2.1'], ipv6: false };
const proof = { txtRecord: () => ({ name: '_t', value: 'v' }) };

it('names every alias that leads elsewhere, also those that its sentence only counts', () => {
  const item = (label: string, state: 'ok' | 'warning'): DiagnosisItem => ({
    label,
    kind: '',
    state,
    finding: 'points_elsewhere',
    params: {},
  });
  const view = { cnames: [route.cname], addresses: ['192.0.2.1'] };
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `${letter}.test`);
  const items = [item('fine.test', 'ok'), ...names.map((name) => item(name, 'warning'))];
  expect(judgeOwnership(route, { view, hasTxt: false, items }, aim, proof)).toMatchObject({
    finding: 'alias_elsewhere',
    params: { alias: 'a.test', more: 6, aliases: names.join(', ') },
  });
});

it('of a name that DNS does not answer for is an error until it is proved, and unknown from then on', () => {
  const unanswered = { view: null, hasTxt: false, items: [] };
  const pending = { ...route, ownership_state: 'pending' } as const;
  expect(judgeOwnership(pending, unanswered, aim, proof)).toMatchObject({ state: 'error', finding: 'no_answer' });
  expect(judgeOwnership(route, unanswered, aim, proof)).toMatchObject({ state: 'unknown', finding: 'no_answer' });
});
