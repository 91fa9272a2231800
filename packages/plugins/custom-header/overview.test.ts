import { expect, it, vi } from 'vitest';
import { overview } from './overview.ts';
import type { CustomHeaderConfig } from './schema.ts';

function show(headers: CustomHeaderConfig['add']['headers']) {
  const onPropose = vi.fn();
  const draft = { enabled: true, config: { add: { headers } } };
  return { ...overview({ draft, live: undefined, t: (key: string) => key, onPropose }), onPropose };
}

it('hides values that let in whoever knows them', () => {
  const secret = [
    'X-Origin-Verify',
    'Authorization',
    'X_Api_Key',
    'X-Auth-Token',
    'X-Session-Id',
    'X-Pwd',
    'X-Jwt',
    'X-Sig',
  ];
  const names = [...secret, 'X-Environment', 'X-Author', 'X-Signal'];
  const { values } = show(names.map((name) => ({ name, value: 'v' })));
  expect(values?.rows.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(secret);
});

it('leaves a value that only the customer knows to be entered', () => {
  const { suggestions, onPropose } = show([]);
  suggestions?.items.find(({ name }) => name === 'X-Api-Key')?.onTake();
  expect(onPropose).toHaveBeenCalledWith({ add: { headers: [{ name: 'X-Api-Key', value: '' }] } });
});
