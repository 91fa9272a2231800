// @vitest-environment happy-dom
import { plainOverviewUi } from '@cordon/plugin-kit/testing/overview';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import ResponseTransformerOverview from './overview.tsx';
import type { ResponseTransformerConfig } from './schema.ts';

type Headers = ResponseTransformerConfig['add']['headers'];
const setting = (enabled: boolean, ...headers: Headers) => ({ enabled, config: { add: { headers } } });

function show(draft: ReturnType<typeof setting>, live?: ReturnType<typeof setting>) {
  const onPropose = vi.fn();
  const t = (key: string) => key;
  const props = { draft, live, t, ui: plainOverviewUi, disabled: false, onPropose };
  render(<ResponseTransformerOverview {...props} />);
  return onPropose;
}
const rows = () =>
  within(screen.getByRole('list', { name: 'overview.set' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);
const suggested = () => screen.getAllByRole('button').map((button) => button.textContent?.split(' · ')[0]);

it('lists each field as it is live and as it is in the draft, whatever the case of its name', () => {
  show(
    setting(true, { name: 'X-A', value: '2' }, { name: 'X-New', value: 'n' }),
    setting(true, { name: 'x-a', value: '1' }, { name: 'X-Gone', value: 'g' }),
  );
  expect(rows()).toEqual(['X-A · 1 · 2', 'X-New · – · n', 'X-Gone · g · –']);
});

it('counts nothing as live while the plugin is off there, and tells that the draft has it off', () => {
  const header = { name: 'X-A', value: '1' };
  show(setting(false, header), setting(false, header));
  expect(rows()).toEqual(['X-A · – · 1']);
  expect(screen.getByRole('list', { name: 'overview.set' }).dataset.off).toBe('true');
});

it('has no list where nothing is set, and only suggestions', () => {
  show(setting(false));
  expect(screen.queryByRole('list', { name: 'overview.set' })).toBeNull();
  expect(suggested()).toContain('Strict-Transport-Security');
});

it('proposes the draft with one field more, and never one that is there', () => {
  const own = { name: 'x-content-type-options', value: 'nosniff' };
  const onPropose = show(setting(true, own));
  expect(suggested()).not.toContain('X-Content-Type-Options');
  fireEvent.click(screen.getByRole('button', { name: /^Referrer-Policy/ }));
  expect(onPropose).toHaveBeenCalledExactlyOnceWith({
    add: { headers: [own, { name: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' }] },
  });
});

it('warns of a field that goes, which browsers remember', () => {
  const header = { name: 'Strict-Transport-Security', value: 'max-age=86400' };
  show(setting(false, header), setting(true, header));
  expect(rows()[0]).toContain('warnings.transport_security.domain');
});

it('warns at the field that browsers remember', () => {
  show(setting(true, { name: 'Strict-Transport-Security', value: 'max-age=86400' }));
  expect(rows()).toEqual(['Strict-Transport-Security · – · max-age=86400 · warnings.transport_security.domain']);
});
