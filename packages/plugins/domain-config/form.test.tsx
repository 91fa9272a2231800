// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import DomainConfigForm from './form.tsx';

function show(enabled: boolean, isBypassing: boolean) {
  const onEnabledChange = vi.fn();
  render(
    <DomainConfigForm
      value={{ is_bypass_acme: isBypassing }}
      onChange={vi.fn()}
      errors={{}}
      t={(key) => key}
      ui={plainFormUi}
      disabled={false}
      enabled={enabled}
      onEnabledChange={onEnabledChange}
    />,
  );
  return onEnabledChange;
}
const box = () => screen.getByRole<HTMLInputElement>('checkbox');

it.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
])('has one switch: plugin on %s, challenges pass %s', (enabled, isBypassing, checked) => {
  show(enabled, isBypassing);
  expect(box().checked).toBe(checked);
});

it('switches the plugin and what it does together', () => {
  const onEnabledChange = show(false, false);
  fireEvent.click(box());
  expect(onEnabledChange).toHaveBeenLastCalledWith(true, { is_bypass_acme: true });
});

it('keeps what it does while it is off, so that it can be switched on from its card', () => {
  const onEnabledChange = show(true, true);
  fireEvent.click(box());
  expect(onEnabledChange).toHaveBeenLastCalledWith(false, { is_bypass_acme: true });
});
