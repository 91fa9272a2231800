// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import RedirectForm from './form.tsx';
import type { RedirectConfig } from './schema.ts';

function show(value: Partial<RedirectConfig>, errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  const t = (key: string, params?: Record<string, unknown>) => (params ? `${key} ${JSON.stringify(params)}` : key);
  const config = { preserve_path: false, ...value } as RedirectConfig;
  render(<RedirectForm value={config} onChange={onChange} errors={errors} t={t} ui={plainFormUi} disabled={false} />);
  return onChange;
}

it('shows where a visitor would really end', () => {
  show({ redirect_url: 'https://example.org/base/', preserve_path: true });
  expect(screen.getByText(/form.example/).textContent).toContain('"to":"https://example.org/base/shop/shoes?page=2"');
});

it('has no example for what is no address yet, and shows its error at the field', () => {
  show({ redirect_url: 'example' }, { redirect_url: 'no address' });
  expect(screen.queryByText(/form.example/)).toBeNull();
  expect(screen.getByText(/no address/).textContent).toContain('fields.redirect_url.label');
});

it('starts empty and changes one field at a time', () => {
  const onChange = show({});
  fireEvent.change(screen.getByLabelText('fields.redirect_url.label'), { target: { value: 'https://example.org' } });
  expect(onChange).toHaveBeenLastCalledWith({ redirect_url: 'https://example.org', preserve_path: false });
  fireEvent.click(screen.getByLabelText('fields.preserve_path.label'));
  expect(onChange).toHaveBeenLastCalledWith({ preserve_path: true });
});
