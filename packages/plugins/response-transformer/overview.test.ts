import { expect, it, vi } from 'vitest';
import { overview } from './overview.ts';
import type { ResponseTransformerConfig } from './schema.ts';

type Headers = ResponseTransformerConfig['add']['headers'];
const setting = (enabled: boolean, ...headers: Headers) => ({ enabled, config: { add: { headers } } });

function show(draft: ReturnType<typeof setting>, live?: ReturnType<typeof setting>) {
  const onPropose = vi.fn();
  const { values, suggestions } = overview({ draft, live, t: (key: string) => key, onPropose });
  const rows = values?.rows.map(({ name, live = '–', draft = '–', warning }) =>
    [name, live, draft, warning].filter((text) => text !== undefined).join(' · '),
  );
  return { rows, suggested: suggestions?.items ?? [], onPropose };
}

it('lists each field as it is live and as it is in the draft, whatever the case of its name', () => {
  const { rows } = show(
    setting(true, { name: 'X-A', value: '2' }, { name: 'X-New', value: 'n' }),
    setting(true, { name: 'x-a', value: '1' }, { name: 'X-Gone', value: 'g' }),
  );
  expect(rows).toEqual(['X-A · 1 · 2', 'X-New · – · n', 'X-Gone · g · –']);
});

it('counts nothing as live while the plugin is off there', () => {
  const header = { name: 'X-A', value: '1' };
  expect(show(setting(false, header), setting(false, header)).rows).toEqual(['X-A · – · 1']);
});

it('has no rows where nothing is set, and only suggestions', () => {
  const { rows, suggested } = show(setting(false));
  expect(rows).toEqual([]);
  expect(suggested.map(({ name }) => name)).toContain('Strict-Transport-Security');
});

it('proposes the draft with one field more, and never one that is there', () => {
  const own = { name: 'x-content-type-options', value: 'nosniff' };
  const { suggested, onPropose } = show(setting(true, own));
  expect(suggested.map(({ name }) => name)).not.toContain('X-Content-Type-Options');
  suggested.find(({ name }) => name === 'Referrer-Policy')?.onTake();
  expect(onPropose).toHaveBeenCalledExactlyOnceWith({
    add: { headers: [own, { name: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' }] },
  });
});

it('warns of a field that goes, which browsers remember', () => {
  const header = { name: 'Strict-Transport-Security', value: 'max-age=86400' };
  expect(show(setting(false, header), setting(true, header)).rows?.[0]).toContain('warnings.transport_security.domain');
});

it('warns at the field that browsers remember', () => {
  const { rows } = show(setting(true, { name: 'Strict-Transport-Security', value: 'max-age=86400' }));
  expect(rows).toEqual(['Strict-Transport-Security · – · max-age=86400 · warnings.transport_security.domain']);
});
