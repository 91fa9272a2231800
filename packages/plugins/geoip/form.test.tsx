// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import GeoipForm from './form.tsx';
import type { GeoipConfig } from './schema.ts';

const empty: GeoipConfig = {
  mode: 'Blacklist',
  blacklist_countries: [],
  whitelist_countries: [],
  whitelist_ips: [],
  combine_geoip: false,
};

function show(value: Partial<GeoipConfig>, errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  render(
    <GeoipForm
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

it('asks for the list of the chosen mode, and keeps the other', () => {
  const onChange = show({ whitelist_countries: ['DE'] });
  expect(screen.queryByLabelText(/fields.whitelist_countries.label/)).toBeNull();
  fireEvent.change(screen.getByLabelText(/fields.blacklist_countries.label/), { target: { value: 'KP\nIR' } });
  expect(onChange).toHaveBeenLastCalledWith({
    ...empty,
    whitelist_countries: ['DE'],
    blacklist_countries: ['KP', 'IR'],
  });
});

it('shows the list of allowed countries, with its error, once that is the mode', () => {
  show({ mode: 'Whitelist', whitelist_countries: ['DE', 'ZZ'] }, { 'whitelist_countries.1': 'no country' });
  expect(screen.queryByLabelText(/fields.blacklist_countries.label/)).toBeNull();
  expect(screen.getByLabelText(/fields.whitelist_countries.label/)).toHaveProperty('value', 'DE\nZZ');
  expect(screen.getByText('1: no country')).toBeTruthy();
});

it('shows an error of an address that passes from any country, at its place', () => {
  show({ whitelist_ips: ['198.41.128.7', 'x'] }, { 'whitelist_ips.1': 'no address' });
  expect(screen.getByText('1: no address').closest('label')?.textContent).toContain('fields.whitelist_ips.label');
});

it('asks for the mode by choices that each say what becomes of visitors of unknown countries', () => {
  const hints: (string | undefined)[] = [];
  const Choice: typeof plainFormUi.Choice = (props) => {
    hints.push(...props.options.map(({ hint }) => hint));
    return <plainFormUi.Choice {...props} />;
  };
  const onChange = vi.fn();
  const ui = { ...plainFormUi, Choice };
  render(<GeoipForm value={empty} onChange={onChange} errors={{}} t={(key) => key} ui={ui} disabled={false} />);
  fireEvent.click(screen.getByRole('radio', { name: 'fields.mode.options.Whitelist' }));
  expect(onChange).toHaveBeenLastCalledWith({ ...empty, mode: 'Whitelist' });
  expect(hints).toEqual(['form.modeHints.Blacklist', 'form.modeHints.Whitelist']);
});

it('switches the combination with the other list', () => {
  const onChange = show({});
  fireEvent.click(screen.getByLabelText('fields.combine_geoip.label'));
  expect(onChange).toHaveBeenLastCalledWith({ ...empty, combine_geoip: true });
});
