// @vitest-environment happy-dom
import type { DiagnosisItem, OriginHealth, TargetHealth } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { sampleRoute } from '../../domain/testing/sample-route';
import { HealthCard, stateOfTarget } from './health-card';

const api = vi.hoisted(() => ({ getOriginHealth: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

beforeAll(() => needCatalogs('origins', 'diagnosis'));
beforeEach(() => api.getOriginHealth.mockReset());

const node = (state: TargetHealth['state']): TargetHealth => ({
  node: 'edge-1',
  state,
  since: null,
  last_error: null,
  last_error_at: null,
  response_ms: null,
  last_answer_at: null,
  requests: state === 'unknown' ? 0 : 7,
});
const check = (state: DiagnosisItem['state'], finding: DiagnosisItem['finding'], params = {}): DiagnosisItem => ({
  label: '192.0.2.20:443',
  kind: 'https',
  state,
  finding,
  params,
});
const refused = check('error', 'certificate_refused', { problem: 'name' });
const target = (checks: DiagnosisItem[], ...nodes: TargetHealth[]): OriginHealth['targets'][number] => ({
  host: '192.0.2.20',
  port: null,
  backup: false,
  checks,
  nodes,
});

it('says of an origin that gets no requests what the health of the domain is judged by', async () => {
  api.getOriginHealth.mockResolvedValue({
    result: {
      minutes: 15,
      is_measured: true,
      checked_at: '2026-07-01T10:00:00.000Z',
      targets: [target([refused], node('unknown'))],
    },
  });
  await renderDomains(<HealthCard route={sampleRoute()} />);
  expect(await screen.findByText(/its certificate is for another name/)).toBeTruthy();
  expect(screen.getByText('Down')).toBeTruthy();
  expect(screen.queryByText('Unknown')).toBeNull();
});

it.each([
  ['unknown', [], [node('unknown')]],
  ['up', [check('ok', 'answers')], [node('unknown')]],
  ['down', [refused], [node('unknown')]],
  ['partly', [refused], [node('up')]],
  ['partly', [refused, check('ok', 'answers')], [node('unknown')]],
  ['errors', [check('warning', 'server_error')], [node('unknown')]],
  ['down', [check('ok', 'answers')], [node('down')]],
  ['up', [], [node('up')]],
  ['partly', [], [node('partly')]],
  ['partly', [], [node('down'), node('failing')]],
  ['failing', [check('ok', 'answers')], [node('up'), node('failing')]],
  ['down', [refused], [node('failing')]],
] as const)('is %s by what the last check found and what the nodes met', (state, checks, nodes) => {
  expect(stateOfTarget(target([...checks], ...nodes), { findings: [] })).toBe(state);
});

it.each([
  ['errors', 'warning', 'failing'],
  ['down', 'error', 'failing'],
  // Another answers these with errors.
  ['up', 'error', 'up'],
] as const)(
  'is %s where the health of the domain names server errors as %s and its newest request is %s',
  (state, level, met) => {
    const found = { check: 'traffic', finding: 'server_errors', params: {}, advice: null, since: null } as const;
    expect(stateOfTarget(target([], node(met)), { findings: [{ ...found, state: level }] })).toBe(state);
  },
);
