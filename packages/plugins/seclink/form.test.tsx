// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import SeclinkForm from './form.tsx';
import { samples } from './samples.ts';
import { sayValue } from './say-value.ts';
import { schema } from './schema.ts';

const t = (key: string, params: object = {}) => [key, ...Object.values(params)].join(' ');

function show(errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  const value = schema.parse({ api_secret: 'secret_aaaaaaaaaaaaaaaaaaaaaa' });
  render(<SeclinkForm value={value} onChange={onChange} errors={errors} t={t} ui={plainFormUi} disabled={false} />);
  return { onChange, value };
}

it('changes one field and keeps the others', () => {
  const { onChange, value } = show();
  fireEvent.click(screen.getByText('form.downloads'));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, path: '^/download/' });
  fireEvent.change(screen.getByLabelText('fields.api_secret.label'), { target: { value: 'new' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, api_secret: 'new' });
  fireEvent.change(screen.getByLabelText('form.wait'), { target: { value: '7' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, sleep_seconds: 7 });
  fireEvent.change(screen.getByLabelText('fields.expire_seconds.label'), { target: { value: '60' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, expire_seconds: 60 });
});

it('shows each error at its field, and the samples', () => {
  show({ api_secret: 'too short', sleep_seconds: 'too long', expire_seconds: 'ends too soon' });
  expect(screen.getByText(/too short/).textContent).toContain('fields.api_secret.label');
  expect(screen.getByText(/ends too soon/).textContent).toContain('fields.expire_seconds.label');
  expect(screen.getByText(/too long/).textContent).toContain('form.wait');
  for (const { name, code } of samples()) expect(screen.getByTitle(name).textContent).toBe(code);
});

it('tells two secrets apart where they are compared, and shows none', () => {
  expect(sayValue('api_secret', 'secret_Ab3dEfaaaaaaaaaaaaaaaa', t)).toBe('form.secretNamed Ab3dEf');
  expect(sayValue('api_secret', 'typed-by-the-customer', t)).toBe('form.secretNew');
  expect(sayValue('path', '.*', t)).toBeUndefined();
});
