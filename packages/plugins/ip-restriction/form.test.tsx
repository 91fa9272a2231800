// @vitest-environment happy-dom
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

function show(value: Partial<IpRestrictionConfig>, errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  render(
    <IpRestrictionForm
      value={{ ...empty, ...value }}
      onChange={onChange}
      errors={errors}
      t={(key) => key}
      ui={plainFormUi}
      disabled={false}
    />,
  );
  return onChange;
}

it('asks about search engines only where they matter', () => {
  show({ blacklistMode: true });
  expect(screen.queryByLabelText('fields.allow_spiders.label')).toBeNull();
});

it('explains both lists together', () => {
  show({ whitelistMode: true, blacklistMode: true });
  expect(screen.getByText('form.both')).toBeTruthy();
  expect(screen.getByLabelText('fields.allow_spiders.label')).toBeTruthy();
});

it('changes one field and keeps the others', () => {
  const onChange = show({ deny: ['9.9.9.9'] });
  fireEvent.click(screen.getByLabelText('fields.blacklistMode.label'));
  expect(onChange).toHaveBeenLastCalledWith({ ...empty, deny: ['9.9.9.9'], blacklistMode: true });
  fireEvent.change(screen.getByLabelText('fields.allow.label'), { target: { value: '1.1.1.1\n8.8.8.8' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...empty, deny: ['9.9.9.9'], allow: ['1.1.1.1', '8.8.8.8'] });
});

it('shows the errors of a switch, a list and an entry where they belong', () => {
  show({ deny: ['x'] }, { whitelistMode: 'choose', allow: 'empty', 'deny.0': 'not an address' });
  expect(screen.getByText(/choose/).textContent).toContain('fields.whitelistMode.label');
  expect(screen.getByText(/empty/).textContent).toContain('fields.allow.label');
  expect(screen.getByText('0: not an address').parentElement?.textContent).toContain('fields.deny.label');
});
