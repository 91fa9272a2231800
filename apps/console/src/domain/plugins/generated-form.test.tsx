// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { enterText } from '../../testing/enter-text';
import { renderDomains } from '../testing/render-domains';
import { GeneratedForm } from './generated-form';
import { pluginFormUi } from './plugin-form-ui';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));

const schema = z
  .strictObject({
    only_dynamic: z.boolean().default(false),
    findtime: z.number().int().min(1).max(3600).default(240),
    mode: z.enum(['Blacklist', 'Whitelist']).default('Blacklist'),
    paths: z.array(z.string()).max(5).default(['/static']),
    codes: z.array(z.number()).max(5).default([]),
    error_404: z.string().nullable().default(null),
    add: z
      .strictObject({
        headers: z
          .array(z.strictObject({ name: z.string(), value: z.string() }))
          .max(5)
          .default([]),
      })
      .prefault({}),
  })
  .superRefine(() => {});
const words: Record<string, string> = {
  'form.about': 'For all of them.',
  'fields.only_dynamic.label': 'Only pages',
  'fields.only_dynamic.hint': 'Leaves files out.',
  'fields.findtime.label': 'Within',
  'fields.mode.label': 'Mode',
  'fields.mode.options.Blacklist': 'Refuse the listed',
  'fields.paths.label': 'Paths',
  'fields.codes.label': 'Codes',
  'fields.error_404.label': 'Page for 404',
  'fields.add.label': 'Added to requests',
  'fields.add.headers.label': 'Headers',
  'fields.add.headers.name.label': 'Name',
  'fields.add.headers.value.label': 'Value',
};

const changed = vi.fn();
function Form({ errors = {}, disabled = false }: { errors?: Record<string, string>; disabled?: boolean }) {
  const [value, setValue] = useState<Readonly<Record<string, unknown>>>(() => schema.parse({}));
  return (
    <GeneratedForm
      schema={schema}
      value={value}
      onChange={(next) => {
        changed(next);
        setValue(next);
      }}
      errors={errors}
      t={(key) => words[key] ?? key}
      ui={pluginFormUi}
      disabled={disabled}
    />
  );
}
const last = () => changed.mock.calls.at(-1)?.[0];

it('shows a sentence with each choice where the plugin has one', async () => {
  const t = (key: string) => ({ 'fields.mode.optionHints.Whitelist': 'All others are refused.' })[key] ?? key;
  const only = z.strictObject({ mode: z.enum(['Blacklist', 'Whitelist']) });
  const parts = { onChange: vi.fn(), errors: {}, ui: pluginFormUi, disabled: false, t };
  await renderDomains(<GeneratedForm schema={only} value={{ mode: 'Blacklist' }} {...parts} />);
  await userEvent.setup({ delay: null }).click(screen.getByRole('radio', { name: /Whitelist/ }));
  expect(parts.onChange).toHaveBeenLastCalledWith({ mode: 'Whitelist' });
  expect(screen.getByText('All others are refused.')).toBeTruthy();
});

it('has one block for each field of the schema, with the words and the defaults of the plugin', async () => {
  await renderDomains(<Form />);
  const toggle = screen.getByRole('switch', { name: /^Only pages/ }) as HTMLInputElement;
  expect(toggle.checked).toBe(false);
  expect(screen.getByText('Leaves files out.')).toBeTruthy();
  expect((screen.getByLabelText('Within') as HTMLInputElement).value).toBe('240');
  expect(screen.getByRole('combobox', { name: /Mode/ }).textContent).toContain('Refuse the listed');
  expect(screen.getByText('/static')).toBeTruthy();
  expect((screen.getByLabelText('Page for 404') as HTMLInputElement).value).toBe('');
  expect(document.body.textContent).not.toContain('fields.');
});

it('gives each field back as its schema wants it', async () => {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<Form />);
  await user.click(screen.getByRole('switch', { name: /^Only pages/ }));
  expect(last()).toMatchObject({ only_dynamic: true, findtime: 240 });
  const seconds = screen.getByLabelText('Within');
  await user.clear(seconds);
  await enterText(user, seconds, '60');
  await user.tab();
  expect(last()).toMatchObject({ findtime: 60 });
  await user.click(screen.getByRole('combobox', { name: /Mode/ }));
  await user.click(await screen.findByRole('option', { name: 'Whitelist' }));
  expect(last()).toMatchObject({ mode: 'Whitelist' });
  await enterText(user, screen.getByRole('textbox', { name: /^Paths/ }), '/uploads');
  await user.keyboard('{Enter}');
  expect(last()).toMatchObject({ paths: ['/static', '/uploads'] });
  await user.type(screen.getByRole('textbox', { name: /^Codes/ }), '404 451{Enter}');
  expect(last()).toMatchObject({ codes: [404, 451] });
  await user.type(screen.getByLabelText('Page for 404'), 'x');
  expect(last()).toMatchObject({ error_404: 'x' });
  expect(schema.safeParse(last()).success).toBe(true);
});

it('marks the wrong field, and the wrong entry of a list', async () => {
  await renderDomains(<Form errors={{ findtime: 'Too small', 'paths.0': 'Must start with /' }} />);
  expect(screen.getByLabelText('Within').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Too small')).toBeTruthy();
  expect(screen.getByTitle('Must start with /').textContent).toContain('/static');
});

it('takes nothing while it is saved', async () => {
  await renderDomains(<Form disabled />);
  expect((screen.getByRole('switch', { name: /^Only pages/ }) as HTMLInputElement).disabled).toBe(true);
  expect((screen.getByLabelText('Within') as HTMLInputElement).disabled).toBe(true);
  expect((screen.getByLabelText('Page for 404') as HTMLInputElement).disabled).toBe(true);
});

it('edits a nested list as rows under a heading, never as text', async () => {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<Form errors={{ 'add.headers.1.name': 'Twice' }} />);
  expect(screen.getByRole('heading', { name: 'Added to requests' })).toBeTruthy();
  await enterText(user, screen.getByRole('textbox', { name: 'Name, row 1' }), 'X-A');
  await user.type(screen.getByRole('textbox', { name: 'Value, row 1' }), '1');
  expect(last()).toMatchObject({ add: { headers: [{ name: 'X-A', value: '1' }] } });
  await user.click(screen.getByRole('button', { name: 'Add a row' }));
  await enterText(user, screen.getByRole('textbox', { name: 'Name, row 2' }), 'x-a');
  expect(screen.getByText('Twice')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Name, row 2' }).getAttribute('aria-invalid')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Remove row 1' }));
  expect(last()).toMatchObject({ add: { headers: [{ name: 'x-a', value: '' }] } });
});

it('takes pasted lines of names and values apart into rows', async () => {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<Form />);
  await user.click(screen.getByRole('textbox', { name: 'Name, row 1' }));
  await user.paste('X-A: 1\nX-B: https://example.org/?a=b');
  expect(last()).toMatchObject({
    add: {
      headers: [
        { name: 'X-A', value: '1' },
        { name: 'X-B', value: 'https://example.org/?a=b' },
      ],
    },
  });
});

it('says which text cannot be left empty, before anything is saved', async () => {
  const texts = z.strictObject({ host: z.string().min(1), note: z.string().default('') });
  await renderDomains(
    <GeneratedForm
      schema={texts}
      value={{ host: '', note: '' }}
      onChange={() => {}}
      errors={{}}
      t={(key) => key}
      ui={pluginFormUi}
      disabled={false}
    />,
  );
  const isRequired = (name: string) => screen.getByRole('textbox', { name }).getAttribute('aria-required');
  expect(['fields.host.label', 'fields.note.label'].map(isRequired)).toEqual(['true', null]);
});

it('says above all fields what holds for each', async () => {
  await renderDomains(<Form />);
  const about = screen.getByText('For all of them.');
  const first = screen.getByRole('switch', { name: /^Only pages/ });
  expect(about.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
