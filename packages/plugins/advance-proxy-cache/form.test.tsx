// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { z } from 'zod';
import AdvanceProxyCacheForm from './form.tsx';
import { schema } from './schema.ts';

function show(config: z.input<typeof schema> = {}, errors: Record<string, string> = {}) {
  const onChange = vi.fn();
  const value = schema.parse(config);
  render(
    <AdvanceProxyCacheForm
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
const mode = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name: `fields.${name}.label` });

it('asks for one of three choices, which are three fields', () => {
  const { onChange, value } = show();
  expect(mode('global_default_caching').checked).toBe(true);
  fireEvent.click(mode('global_custom_caching'));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, global_default_caching: false, global_custom_caching: true });
  fireEvent.click(mode('global_disable_cache_completely'));
  expect(onChange).toHaveBeenLastCalledWith({
    ...value,
    global_default_caching: false,
    global_disable_cache_completely: true,
  });
});

it.each(['global_default_caching', 'global_disable_cache_completely'])(
  'shows an error of %s at the choice',
  (field) => {
    show({}, { [field]: 'only one' });
    expect(screen.getByRole('group', { name: 'form.mode' }).textContent).toContain('only one');
  },
);

it('asks for nothing more where nothing is kept', () => {
  show({ global_default_caching: false, global_disable_cache_completely: true });
  expect(screen.queryByLabelText('fields.cache_ttl.label')).toBeNull();
  expect(screen.queryByText('fields.bypass_rules.label')).toBeNull();
});

it('says which answers the cache time is for, by the choice', () => {
  show({ global_default_caching: false, global_custom_caching: true });
  expect(screen.getByText('form.lifetimeHints.custom')).toBeTruthy();
});

it('changes one field and keeps the others', () => {
  const { onChange, value } = show();
  fireEvent.change(screen.getByLabelText(/fields.content_type.label/), { target: { value: 'css\nfont' } });
  expect(onChange).toHaveBeenLastCalledWith({ ...value, content_type: ['css', 'font'] });
  fireEvent.click(screen.getByLabelText('fields.enable_cache_control.label'));
  expect(onChange).toHaveBeenLastCalledWith({ ...value, enable_cache_control: true });
});
