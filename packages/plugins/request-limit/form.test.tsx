// @vitest-environment happy-dom
import { LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import RequestLimitForm from './form.tsx';
import { type RequestLimitConfig, schema } from './schema.ts';

function show(change: Partial<RequestLimitConfig> = {}, errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  const value = { ...schema.parse({}), ...change };
  render(
    <RequestLimitForm
      value={value}
      onChange={onChange}
      errors={errors}
      t={(key) => key}
      ui={plainFormUi}
      disabled={false}
    />,
  );
  return { onChange, value };
}

it('shows which choice the pattern is, and takes another with one press', () => {
  const { onChange, value } = show();
  expect(screen.getByText('form.everything').getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByText('form.loginPages').getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(screen.getByText('form.loginPages'));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, banpath: LOGIN_PATHS });
});

it.each(['/login', '/en/login/', '/wp-login.php', '/account/sign-in', '/xmlrpc.php'])(
  'has a pattern for login pages that finds %s',
  (path) => {
    expect(schema.parse({ banpath: LOGIN_PATHS }).banpath).toBe(LOGIN_PATHS);
    expect(new RegExp(LOGIN_PATHS).test(path)).toBe(true);
  },
);

it('changes one field and keeps the others', () => {
  const { onChange, value } = show({ maxretry: 5 });
  fireEvent.change(screen.getByLabelText('fields.findtime.label'), { target: { value: '60' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, findtime: 60 });
  fireEvent.change(screen.getByLabelText('fields.bantime.label'), { target: { value: '2d' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, bantime: '2d' });
  fireEvent.click(screen.getByLabelText('fields.only_dynamic.label'));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, only_dynamic: true });
});

it('shows each error at its field', () => {
  show({}, { banpath: 'unfinished', maxretry: 'too small', bantime: 'too long' });
  expect(screen.getByText(/unfinished/).textContent).toContain('fields.banpath.label');
  expect(screen.getByText(/too small/).textContent).toContain('fields.maxretry.label');
  expect(screen.getByText(/too long/).textContent).toContain('fields.bantime.label');
});
