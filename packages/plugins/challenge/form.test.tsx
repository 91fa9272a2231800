// @vitest-environment happy-dom
import { LOGIN_PATHS } from '@cordon/plugin-kit/path-patterns';
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import ChallengeForm from './form.tsx';
import { schema } from './schema.ts';

function show(errors: Record<string, string> = {}, features?: 'recaptcha'[], given = {}) {
  const onChange = vi.fn();
  const value = schema.parse(given);
  const props = { features, value, onChange, errors, t: (key: string) => key, ui: plainFormUi, disabled: false };
  render(<ChallengeForm {...props} />);
  return { onChange, value };
}

it('changes one field and keeps the others', () => {
  const { onChange, value } = show();
  fireEvent.click(screen.getByLabelText(/fields\.mode\.options\.puzzle/));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, mode: 'puzzle' });
  expect(screen.getByText('form.everything').getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(screen.getByText('form.loginPages'));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, path: LOGIN_PATHS });
  fireEvent.change(screen.getByLabelText('fields.pass_time.label'), { target: { value: '2h' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, pass_time: '2h' });
});

it('shows each error at its field', () => {
  show({ path: 'unfinished', pass_time: 'too long' });
  expect(screen.getByText(/unfinished/).textContent).toContain('fields.path.label');
  expect(screen.getByText(/too long/).textContent).toContain('fields.pass_time.label');
});

const google = () => screen.getByLabelText<HTMLInputElement>(/fields\.mode\.options\.google_recaptcha/);

it('offers Google reCAPTCHA where the deployment has its keys', () => {
  show({}, ['recaptcha']);
  expect(google().disabled).toBe(false);
  expect(screen.queryByText(/form\.recaptchaMissing/)).toBeNull();
});

it('cannot choose it where there are none, and says why', () => {
  show({}, []);
  expect(google().disabled).toBe(true);
  expect(screen.getByText(/form\.recaptchaMissing/)).toBeTruthy();
});

it('says so too where it was chosen before', () => {
  show({}, [], { mode: 'google_recaptcha' });
  expect(google().checked).toBe(true);
  expect(google().disabled).toBe(false);
  expect(screen.getByText(/form\.recaptchaMissing/)).toBeTruthy();
});
