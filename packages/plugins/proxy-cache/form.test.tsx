// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import ProxyCacheForm from './form.tsx';
import { definition } from './plugin.ts';
import { type ProxyCacheConfig, schema } from './schema.ts';

/** The form as the console has it: what it gives back is its next value. */
function show(config: z.input<typeof schema> = {}, errors: Record<string, string> = {}) {
  const onChange = vi.fn<(value: ProxyCacheConfig) => void>();
  const begun = schema.parse({ cache_postfixes: ['css'], ...config });
  function Form() {
    const [value, setValue] = useState(begun);
    const take = (next: ProxyCacheConfig) => {
      onChange(next);
      setValue(next);
    };
    return (
      <ProxyCacheForm
        value={value}
        onChange={take}
        errors={errors}
        notices={definition.notices(value)}
        t={(key) => key}
        ui={plainFormUi}
        disabled={false}
      />
    );
  }
  render(<Form />);
  return { begun, last: () => onChange.mock.lastCall?.[0] };
}
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('changes one field and keeps the others', () => {
  const { begun, last } = show();
  type(/fields.cache_paths.label/, '/static\n/media');
  type('fields.cache_ttl.label', '60');
  fireEvent.click(screen.getByLabelText('fields.cache_reusable.label'));
  expect(last()).toEqual({ ...begun, cache_paths: ['/static', '/media'], cache_ttl: 60, cache_reusable: false });
});

it('gives back statuses as numbers, and what is none as it was typed', () => {
  const { last } = show();
  type(/fields.response_code.label/, '200\n404\nall');
  expect(last()?.response_code).toEqual([200, 404, 'all']);
});

it('says of OPTIONS, while it is chosen, that it is never kept', () => {
  const { last } = show();
  expect(screen.getByText('notices.options_not_kept')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('OPTIONS'));
  expect(last()?.request_method).toEqual(['GET', 'HEAD']);
  expect(screen.queryByText('notices.options_not_kept')).toBeNull();
});

describe('rules', () => {
  const line = (on: string) => within(screen.getByRole('group', { name: `form.on.${on}` }));

  it('are added, named, given a pattern and taken away, and come back', () => {
    const { last } = show();
    press('form.addRule');
    type('form.names.cookie', 'session');
    expect(last()?.bypass_rules).toEqual([{ on: 'cookie', name: 'session', pattern: '' }]);
    expect(screen.queryByLabelText('form.pattern')).toBeNull();
    type('form.test', 'matches');
    type('form.pattern', '^a');
    expect(last()?.bypass_rules).toEqual([{ on: 'cookie', name: 'session', pattern: '^a' }]);
    press('form.removeRule');
    expect(last()?.bypass_rules).toEqual([]);
    press('form.undo: form.removedRule');
    expect(last()?.bypass_rules).toEqual([{ on: 'cookie', name: 'session', pattern: '^a' }]);
  });

  it('lose their pattern where any value will do', () => {
    const { last } = show({ bypass_rules: [{ on: 'argument', name: 'a', pattern: '^1$' }] });
    type('form.test', 'exists');
    expect(last()?.bypass_rules).toEqual([{ on: 'argument', name: 'a', pattern: '' }]);
  });

  it('have a name unless they are about the path, and keep the rest when that changes', () => {
    const { last } = show({ bypass_rules: [{ on: 'header', name: 'X-A', pattern: '^1$' }] });
    type('form.what', 'path');
    expect(last()?.bypass_rules).toEqual([{ on: 'path', pattern: '^1$' }]);
    expect(line('path').queryByLabelText(/form.names/)).toBeNull();
  });

  it('have their errors in their line', () => {
    show(
      {
        bypass_rules: [
          { on: 'path', pattern: '^/a' },
          { on: 'cookie', name: 'b' },
        ],
      },
      { 'bypass_rules.0.pattern': 'too slow', 'bypass_rules.1.name': 'needs a name' },
    );
    expect(line('path').getByText(/too slow/)).toBeTruthy();
    expect(line('cookie').getByText(/needs a name/)).toBeTruthy();
  });
});

describe('the key', () => {
  it('asks for names only where they count', () => {
    const { last } = show();
    expect(screen.queryByLabelText(/fields.key.query_names.label/)).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: 'fields.key.query.options.except' }));
    type(/fields.key.query_names.label/, 'utm_source\nutm_medium');
    expect(last()?.key).toMatchObject({ query: 'except', query_names: ['utm_source', 'utm_medium'] });
  });

  it('does not ask for an order where no argument counts', () => {
    show({ key: { query: 'none' } });
    expect(screen.queryByLabelText('fields.key.sort_query.label')).toBeNull();
  });
});

it('shows errors and remarks at their fields', () => {
  show({ cache_paths: ['/a%20b'] }, { 'cache_paths.0': 'no path', 'request_method.0': 'no method' });
  const list = screen.getByLabelText(/fields.cache_paths.label/).closest('label')?.textContent;
  expect(list).toContain('0: no path');
  expect(list).toContain('notices.path_as_sent');
  expect(screen.getByRole('group', { name: 'fields.request_method.label' }).textContent).toContain('no method');
});
