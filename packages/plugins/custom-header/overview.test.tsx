// @vitest-environment happy-dom
import type { OverviewValue, PluginOverviewUi } from '@cordon/plugin-kit/overview';
import { plainOverviewUi } from '@cordon/plugin-kit/testing/overview';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import CustomHeaderOverview from './overview.tsx';
import type { CustomHeaderConfig } from './schema.ts';

function show(headers: CustomHeaderConfig['add']['headers'], ui: PluginOverviewUi = plainOverviewUi) {
  const onPropose = vi.fn();
  const draft = { enabled: true, config: { add: { headers } } };
  const props = { draft, live: undefined, t: (key: string) => key, ui, disabled: false, onPropose };
  render(<CustomHeaderOverview {...props} />);
  return onPropose;
}

it('hides values that let in whoever knows them', () => {
  let shown: readonly OverviewValue[] = [];
  const Values: PluginOverviewUi['Values'] = ({ values }) => {
    shown = values;
    return null;
  };
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
  show(
    names.map((name) => ({ name, value: 'v' })),
    { ...plainOverviewUi, Values },
  );
  expect(shown.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(secret);
});

it('leaves a value that only the customer knows to be entered', () => {
  const onPropose = show([]);
  fireEvent.click(screen.getByRole('button', { name: /^X-Api-Key · suggestions.own/ }));
  expect(onPropose).toHaveBeenCalledWith({ add: { headers: [{ name: 'X-Api-Key', value: '' }] } });
});
