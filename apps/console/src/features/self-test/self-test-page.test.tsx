// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import type { CheckResult } from './checks';
import { SelfTestPage } from './self-test-page';

const checks = vi.hoisted(() => ({
  checkApi: vi.fn(),
  checkBrowser: vi.fn(),
  checkStorage: vi.fn(),
  checkWebsocket: vi.fn(),
}));
vi.mock('./checks', () => checks);
vi.mock('../../app/brand', () => ({ useBrand: () => ({ name: 'Cordon' }) }));
vi.mock('../../app/brand-logo', () => ({ BrandLogo: () => null }));
vi.stubGlobal('__BUILD_TIME__', '2026-11-20T10:00:00Z');

const of = (state: CheckResult['state']): CheckResult => ({ state, raw: 'x' });

it.each([
  ['en', 'good', 'good', 'All 7 checks passed'],
  ['en', 'bad', 'good', '1 problem'],
  ['en', 'good', 'warning', '1 warning'],
  ['en', 'bad', 'warning', '1 problem, 1 warning'],
  ['zh', 'bad', 'warning', '1 个问题，1 个警告'],
] as const)('says in %s what storage (%s) and websocket (%s) amount to: %s', async (locale, storage, socket, words) => {
  checks.checkBrowser.mockReturnValue(of('good'));
  checks.checkStorage.mockReturnValue(of(storage));
  checks.checkApi.mockResolvedValue({ api: of('good'), clock: of('good') });
  checks.checkWebsocket.mockResolvedValue(of(socket));
  await needCatalogs('selfTest');
  await renderDomains(<SelfTestPage />, locale);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(words));
});
