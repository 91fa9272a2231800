// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import CrowdsecCaptchaForm from './form.tsx';
import { schema } from './schema.ts';

function show(errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  const value = schema.parse({});
  const props = { value, onChange, errors, t: (key: string) => key, ui: plainFormUi, disabled: false };
  render(<CrowdsecCaptchaForm {...props} />);
  return { onChange, value };
}

it('changes one field and keeps the others', () => {
  const { onChange, value } = show();
  fireEvent.change(screen.getByLabelText('fields.maxretry.label'), { target: { value: '50' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, maxretry: 50 });
  fireEvent.change(screen.getByLabelText('fields.findtime.label'), { target: { value: '60' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, findtime: 60 });
  fireEvent.change(screen.getByLabelText('fields.bantime.label'), { target: { value: '2d' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, bantime: '2d' });
  fireEvent.click(screen.getByLabelText(/fields\.mode\.options\.js/));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, mode: 'js' });
});

it('shows each error at its field', () => {
  show({ maxretry: 'too small', findtime: 'too large', bantime: 'too long' });
  expect(screen.getByText(/too large/).textContent).toContain('fields.findtime.label');
  expect(screen.getByText(/too small/).textContent).toContain('fields.maxretry.label');
  expect(screen.getByText(/too long/).textContent).toContain('fields.bantime.label');
});
