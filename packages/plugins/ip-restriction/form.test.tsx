// @vitest-environment happy-dom
import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import IpRestrictionForm from './form.tsx';
import type { IpRestrictionConfig } from './schema.ts';

const empty: IpRestrictionConfig = {
  allow: [],
  deny: [],
  whitelistMode: false,
  blacklistMode: false,
  allow_spiders: true,
};

function show(value: Partial<IpRestrictionConfig>, more: Partial<PluginFormProps<IpRestrictionConfig>> = {}) {
  const onChange = vi.fn();
  const onEnabledChange = vi.fn();
  render(
    <IpRestrictionForm
      value={{ ...empty, ...value }}
      onChange={onChange}
      enabled
      onEnabledChange={onEnabledChange}
      errors={{}}
      t={(key) => key}
      ui={plainFormUi}
      disabled={false}
      {...more}
    />,
  );
  return { onChange, onEnabledChange };
}
const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').findIndex(({ checked }) => checked);

it.each([
  ['off', { blacklistMode: true }, false, 0, []],
  ['the block list', { blacklistMode: true }, true, 1, ['deny']],
  ['the allow list', { whitelistMode: true }, true, 2, ['allow', 'allow_spiders']],
  ['both', { whitelistMode: true, blacklistMode: true }, true, 3, ['deny', 'allow', 'allow_spiders']],
] as const)('asks one thing, and only what its answer needs: %s', (_, value, enabled, choice, fields) => {
  show(value, { enabled });
  expect(chosen()).toBe(choice);
  for (const name of ['deny', 'allow', 'allow_spiders'] as const)
    expect(screen.queryByLabelText(`fields.${name}.label`) !== null).toBe(fields.some((field) => field === name));
});

it('changes modes and switch with the one answer', () => {
  const { onEnabledChange } = show({ deny: ['9.9.9.9'], blacklistMode: true });
  fireEvent.click(screen.getByLabelText('form.both'));
  const value = { ...empty, deny: ['9.9.9.9'], blacklistMode: true };
  expect(onEnabledChange).toHaveBeenLastCalledWith(true, { ...value, whitelistMode: true });
  fireEvent.click(screen.getByLabelText('form.off'));
  expect(onEnabledChange).toHaveBeenLastCalledWith(false, value);
});

it.each([
  ['deny', { whitelistMode: true }, { whitelistMode: false, blacklistMode: true }],
  ['allow', { blacklistMode: true }, { whitelistMode: true, blacklistMode: false }],
  ['both', { blacklistMode: true }, { whitelistMode: true, blacklistMode: true }],
] as const)('sets both modes by the answer: %s', (answer, before, modes) => {
  const { onEnabledChange } = show(before);
  fireEvent.click(screen.getByLabelText(`form.${answer}`));
  expect(onEnabledChange).toHaveBeenLastCalledWith(true, { ...empty, ...modes });
});

it('changes one list and keeps the other', () => {
  const { onChange } = show({ deny: ['9.9.9.9'], whitelistMode: true, blacklistMode: true });
  fireEvent.change(screen.getByLabelText('fields.allow.label'), { target: { value: '1.1.1.1\n8.8.8.8' } });
  const modes = { whitelistMode: true, blacklistMode: true };
  expect(onChange).toHaveBeenLastCalledWith({ ...empty, ...modes, deny: ['9.9.9.9'], allow: ['1.1.1.1', '8.8.8.8'] });
});

it('shows the errors of the question, a list and an entry where they belong, of a list out of use too', () => {
  const errors = { whitelistMode: 'choose', allow: 'empty', 'deny.0': 'not an address' };
  show({ deny: ['x'], whitelistMode: true }, { errors });
  expect(screen.getByText(/choose/).textContent).toContain('form.mode');
  expect(screen.getByText(/empty/).textContent).toContain('fields.allow.label');
  expect(screen.getByText('0: not an address').parentElement?.textContent).toContain('fields.deny.label');
});

it('shows at its list what is remarked on an entry', () => {
  const notices = [{ path: 'deny.0', message: 'notices.special_address', params: { entry: '10.0.0.1' } }];
  show({ deny: ['10.0.0.1'], blacklistMode: true }, { notices });
  expect(screen.getByText('notices.special_address').parentElement?.textContent).toContain('fields.deny.label');
});
