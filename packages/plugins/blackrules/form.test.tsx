// @vitest-environment happy-dom
import { fieldErrorsOf, meantIssues } from '@cordon/contract';
import type { PluginNotice } from '@cordon/plugin-kit';
import type { PluginMatches } from '@cordon/plugin-kit/form';
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import BlackrulesForm from './form.tsx';
import { changeCondition, FIELDS, type Field, NAMED_TESTS, newCondition } from './new-parts.ts';
import { definition } from './plugin.ts';
import { type BlackrulesConfig, type Condition, type Part, type Rule, schema } from './schema.ts';

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  action: 'block',
  enabled: true,
  when: {
    match: 'all',
    not: false,
    conditions: [{ field: 'path', test: 'is', values: ['/a'], ignore_case: false, not: false }],
  },
  ...more,
});

function show(
  rules: readonly Rule[],
  errors: Record<string, string> = {},
  matches?: PluginMatches,
  notices: readonly PluginNotice[] = [],
) {
  const onChange = vi.fn<(value: BlackrulesConfig) => void>();
  render(
    <BlackrulesForm
      value={{ black_rules: rules }}
      onChange={onChange}
      errors={errors}
      t={(key, params) => (params ? `${key} ${Object.values(params).join(' ')}` : key)}
      ui={plainFormUi}
      disabled={false}
      matches={matches}
      notices={notices}
    />,
  );
  return () => onChange.mock.lastCall?.[0].black_rules ?? [];
}
function Editor({ start, onRules }: { start: readonly Rule[]; onRules?: (rules: readonly Rule[]) => void }) {
  const [value, setValue] = useState<BlackrulesConfig>({ black_rules: [...start] });
  onRules?.(value.black_rules);
  const t = (key: string, params?: object) => (params ? `${key} ${Object.values(params).join(' ')}` : key);
  return <BlackrulesForm value={value} onChange={setValue} errors={{}} t={t} ui={plainFormUi} disabled={false} />;
}
const itemOf = (name: string) => within(screen.getByRole('listitem', { name }));

it('adds a rule that needs no more than its value', () => {
  const rules = show([]);
  fireEvent.click(screen.getByText('form.addRule'));
  expect(rules()).toHaveLength(1);
  const [added] = rules() as [Rule];
  const filled = { ...added, when: { ...added.when, conditions: [{ ...added.when.conditions[0], values: ['/x'] }] } };
  expect(schema.safeParse({ black_rules: [filled] }).success).toBe(true);
});

it('calls a rule by its conditions until somebody names it, and each by a name of its own', () => {
  let rules: readonly Rule[] = [];
  render(
    <Editor
      start={[rule('form.newRule'), rule('mine')]}
      onRules={(next) => {
        rules = next;
      }}
    />,
  );
  const names = () => rules.map(({ name }) => name);
  const negate = (name: string) =>
    fireEvent.change(itemOf(name).getByLabelText('form.test'), { target: { value: 'not_is' } });
  const called = 'form.says.not_is form.fields.path /a';
  negate('form.newRule');
  negate('mine');
  expect(names()).toEqual([called, 'mine']);
  fireEvent.click(screen.getByText('form.addRule'));
  fireEvent.change(itemOf('form.newRule').getByLabelText('form.values'), { target: { value: '/a' } });
  fireEvent.change(itemOf('form.says.begins_with form.fields.path /a').getByLabelText('form.test'), {
    target: { value: 'not_is' },
  });
  expect(names()).toEqual([called, 'mine', `${called} 2`]);
  const nameField = itemOf(`${called} 2`).getByLabelText('fields.black_rules.name.label');
  fireEvent.change(nameField, { target: { value: 'typed' } });
  fireEvent.change(itemOf('typed').getByLabelText('form.test'), { target: { value: 'is' } });
  expect(names()).toEqual([called, 'mine', 'typed']);
  expect(schema.safeParse({ black_rules: rules }).success).toBe(true);
});

it.each(['', ' 2'])('has a stored name that was made of the conditions follow them (%s behind it)', (number) => {
  let rules: readonly Rule[] = [];
  const called = 'form.says.is form.fields.path /a';
  render(
    <Editor
      start={[rule(`${called}${number}`), rule('one 2')]}
      onRules={(next) => {
        rules = next;
      }}
    />,
  );
  for (const name of [`${called}${number}`, 'one 2'])
    fireEvent.change(itemOf(name).getByLabelText('form.test'), { target: { value: 'not_is' } });
  expect(rules.map(({ name }) => name)).toEqual(['form.says.not_is form.fields.path /a', 'one 2']);
});

it('says what a rule does once: with its badge, or in its sentence where the badge says that it is off', () => {
  show([rule('one'), rule('two', { enabled: false })]);
  expect(itemOf('one').queryByText(/form\.sentence\.block/)).toBeNull();
  expect(itemOf('one').getAllByText(/form\.says\.is/).length).toBeGreaterThan(0);
  expect(itemOf('two').getAllByText(/form\.sentence\.block/).length).toBeGreaterThan(0);
});

it.each([
  [true, ''],
  [false, 'fields.black_rules.action.options.block'],
])('says no conditions below the name that they are (on: %s)', (enabled, summary) => {
  const called = 'form.says.is form.fields.path /a';
  show([rule(called, { enabled })]);
  const said = screen.getByRole('listitem', { name: called }).firstChild?.textContent;
  expect(said?.split(' · ')[0]).toBe(summary);
});

it('moves, duplicates and removes rules; a duplicate has a name of its own', () => {
  const rules = show([rule('one'), rule('two'), rule('two 2')]);
  fireEvent.click(screen.getByText('up two'));
  expect(rules().map(({ name }) => name)).toEqual(['two', 'one', 'two 2']);
  fireEvent.click(screen.getByText('copy two'));
  expect(rules().map(({ name }) => name)).toEqual(['one', 'two', 'two 3', 'two 2']);
  fireEvent.click(screen.getByText('remove one'));
  expect(rules().map(({ name }) => name)).toEqual(['two', 'two 2']);
});

it('asks of each field only what it can be compared by, and turns it round', () => {
  const rules = show([rule('one')]);
  const item = itemOf('one');
  fireEvent.change(item.getByLabelText('form.field'), { target: { value: 'country' } });
  expect(rules()[0]?.when.conditions[0]).toEqual({ field: 'country', values: [], not: false });
  fireEvent.change(item.getByLabelText('form.test'), { target: { value: 'not_contains' } });
  expect(rules()[0]?.when.conditions[0]).toMatchObject({ field: 'path', test: 'contains', values: ['/a'], not: true });
  fireEvent.change(item.getByLabelText('form.test'), { target: { value: 'matches' } });
  expect(rules()[0]?.when.conditions[0]).toEqual({ field: 'path', test: 'matches', pattern: '', not: false });
});

const exampleOf = (field: Field): string | number => {
  if (field === 'address') return '198.41.128.0/24';
  if (field === 'country') return 'DE';
  if (field === 'method') return 'POST';
  return field === 'asn' ? 64496 : '/a';
};
it('a condition on another field lacks no more than what it is compared with', () => {
  const testOf = (condition: Condition) => ('test' in condition ? condition.test : 'in');
  for (const from of FIELDS)
    for (const to of FIELDS)
      for (const test of NAMED_TESTS) {
        const before = changeCondition(newCondition(), from, test);
        const after = changeCondition(before, to, testOf(before));
        const filled = {
          ...after,
          ...('name' in after && { name: 'a' }),
          ...('values' in after && { values: [exampleOf(to)] }),
          ...('pattern' in after && { pattern: '^/a' }),
        };
        const { error } = schema.safeParse({
          black_rules: [{ name: 'one', when: { match: 'all', conditions: [filled] } }],
        });
        expect(error, `from ${from} ${test} to ${to}`).toBeUndefined();
      }
});

it.each(['foo', 'AS0', '0x10', '4294967296', '1.5'])('says at the number of an AS that %s is none', (typed) => {
  let rules: readonly Rule[] = [];
  const conditions = [{ field: 'asn', values: [13335], not: false }] as Part[];
  const start = rule('one', { when: { match: 'all', not: false, conditions } });
  const onRules = (next: readonly Rule[]) => {
    rules = next;
  };
  render(<Editor start={[start]} onRules={onRules} />);
  fireEvent.change(itemOf('one').getByLabelText(/form.values/), { target: { value: `AS64496\n${typed}` } });
  const { error } = schema.safeParse({ black_rules: rules });
  expect(error && fieldErrorsOf({ issues: meantIssues(error.issues) }).fields).toEqual({
    'black_rules.0.when.conditions.0.values.1': 'ASN_INVALID',
  });
});

it('says at a condition what is wrong with all of it', () => {
  show([rule('one')], { 'black_rules.0.when.conditions.0': 'wrong' });
  expect(screen.getByRole('group', { name: 'form.fields.path' }).textContent).toContain('wrong');
});

it('switches letter case of a condition, and keeps what is typed elsewhere when one is removed', () => {
  const path = rule('x').when.conditions[0] as Part;
  const rules = show([rule('one', { when: { match: 'all', not: false, conditions: [path, { ...path, not: true }] } })]);
  const item = itemOf('one');
  const [first] = item.getAllByRole('button', { name: 'form.ignoreCase' });
  expect(first?.getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(first as HTMLElement);
  expect(rules()[0]?.when.conditions[0]).toMatchObject({ ignore_case: true });
  const stays = item.getAllByLabelText(/form.values/)[1];
  fireEvent.click(item.getAllByRole('button', { name: 'form.removeCondition' })[0] as HTMLElement);
  expect(rules()[0]?.when.conditions).toEqual([{ ...path, not: true }]);
  expect(stays?.isConnected).toBe(true);
});

it('puts conditions and groups into groups, three levels deep', () => {
  const inner = { match: 'any', not: false, conditions: rule('x').when.conditions } as const;
  const deep = { match: 'all', not: true, conditions: [{ ...inner, conditions: [inner] }] } as const;
  const rules = show([rule('one', { when: deep })]);
  const item = itemOf('one');
  expect(item.getAllByText('form.addCondition')).toHaveLength(3);
  expect(item.getAllByText('form.addGroup')).toHaveLength(2);
  fireEvent.click(item.getAllByText('form.addGroup')[0] as HTMLElement);
  const [first] = rules() as [Rule];
  expect(schema.safeParse({ black_rules: [rule('one', { when: deep })] }).success).toBe(true);
  expect(first.when.conditions.flatMap((part) => ('conditions' in part ? part.conditions.length : []))).toEqual([2]);
});

it('brings back what was removed at one press, where it stood', () => {
  const { container } = render(<Editor start={[rule('one'), rule('two'), rule('three')]} />);
  const names = () => [...container.querySelectorAll('li')].map((item) => item.getAttribute('aria-label'));
  fireEvent.click(screen.getByText('remove two'));
  expect(names()).toEqual(['one', 'three']);
  fireEvent.click(screen.getByText('form.undo: form.removed two'));
  expect(names()).toEqual(['one', 'two', 'three']);
  expect(screen.queryByText(/form.undo/)).toBeNull();
});

it('brings back a group or a condition that was removed at one press, where it stood, with all that was in it', () => {
  const path = rule('x').when.conditions[0] as Part;
  const group: Part = { match: 'any', not: true, conditions: [path, { ...path, not: true }] };
  const start = rule('one', { when: { match: 'all', not: false, conditions: [path, group, path] } });
  let rules: readonly Rule[] = [];
  render(
    <Editor
      start={[start]}
      onRules={(next) => {
        rules = next;
      }}
    />,
  );
  const outer = () => rules[0]?.when.conditions;
  fireEvent.click(screen.getByText('form.removeGroup'));
  expect(outer()).toEqual([path, path]);
  fireEvent.click(screen.getByText('form.undo: form.removedGroup'));
  expect(outer()).toEqual([path, group, path]);
  expect(screen.queryByText(/form.undo/)).toBeNull();
  fireEvent.click(screen.getAllByText('form.removeCondition')[1] as HTMLElement);
  expect(outer()?.[1]).toEqual({ ...group, conditions: [{ ...path, not: true }] });
  fireEvent.click(screen.getByText('form.undo: form.removedCondition'));
  expect(outer()).toEqual([path, group, path]);
});

it('offers no way back where a group has no room for it any more', () => {
  const path = rule('x').when.conditions[0] as Part;
  const conditions = Array.from({ length: 20 }, () => path);
  render(<Editor start={[rule('one', { when: { match: 'all', not: false, conditions } })]} />);
  fireEvent.click(screen.getAllByText('form.removeCondition')[0] as HTMLElement);
  expect(screen.getByText('form.undo: form.removedCondition')).toBeTruthy();
  fireEvent.click(screen.getByText('form.addCondition'));
  expect(screen.queryByText(/form.undo/)).toBeNull();
});

it('says in one line what a rule is for, and counts its errors', () => {
  const conditions: Part[] = [
    { field: 'header', name: 'X-A', test: 'exists', not: true },
    { field: 'method', values: ['GET', 'PUT', 'HEAD'], not: false } as Part,
  ];
  show([rule('one', { when: { match: 'any', not: false, conditions } })], {
    'black_rules.0.when.conditions.1.values.2': 'wrong',
  });
  expect(screen.getByRole('listitem', { name: 'one' }).textContent).toContain(
    'form.says.not_exists form.fields.header X-A  form.joins.any form.says.in form.fields.method form.more GETform.commaPUT 1 · fields.black_rules.action.options.block · 1',
  );
});

it('shows what is remarked on a value at the values of its own condition, in groups too', () => {
  const path = rule('x').when.conditions[0] as Part;
  const sent = { ...path, values: ['/a?b=1'] } as Part;
  const when = {
    match: 'all',
    not: false,
    conditions: [path, { match: 'any', not: false, conditions: [sent] }],
  } as const;
  const rules = [rule('one'), rule('two', { when })];
  show(rules, {}, undefined, definition.notices(schema.parse({ black_rules: rules })));
  const marked = screen.getAllByLabelText(/form.values/).map((list) => list.parentElement?.textContent);
  expect(marked.map((text) => text?.includes('notices.path_as_sent /a?b=1'))).toEqual([false, false, true]);
});

it('says of each rule that is on how many recent requests it decided', () => {
  const notesOf = () =>
    screen.queryAllByRole('status').map((note) => [note.textContent, note.getAttribute('aria-busy')]);
  const rules = [rule('one'), rule('two'), rule('three', { enabled: false })];
  show(rules, {}, { of: 10_000, byRule: { one: 312 }, unknownByRule: {}, isStale: false });
  expect(notesOf()).toEqual([
    ['form.matched 312 10000', 'false'],
    ['form.matched 0 10000', 'false'],
  ]);
});

it('gives no number for what the log lacks', () => {
  const unknownByRule = {
    one: { requests: 10_000, missing: 'header Accept' },
    two: { requests: 300, missing: 'cookie sid' },
  };
  show([rule('one'), rule('two')], {}, { of: 10_000, byRule: { two: 4 }, unknownByRule, isStale: false });
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    'form.uncounted 0 10000 10000 header Accept',
    'form.partlyCounted 4 10000 300 cookie sid',
  ]);
});

it('shows no number of earlier conditions as if it were of these', () => {
  show([rule('one')], {}, { of: 10_000, byRule: { one: 312 }, unknownByRule: {}, isStale: true });
  const note = screen.getByRole('status');
  expect([note.textContent, note.getAttribute('aria-busy')]).toEqual(['form.counting', 'true']);
});

it.each<[string, PluginMatches | undefined, readonly string[]]>([
  ['nothing is known yet', { of: 0, byRule: {}, unknownByRule: {}, isStale: true }, ['']],
  ['there were no requests', { of: 0, byRule: {}, unknownByRule: {}, isStale: false }, ['']],
  ['it cannot be told', undefined, []],
])('says nothing while %s', (_, matches, notes) => {
  show([rule('one')], {}, matches);
  expect(screen.queryAllByRole('status').map(({ textContent }) => textContent)).toEqual(notes);
});
