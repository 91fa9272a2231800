// @vitest-environment happy-dom
import { fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { accessibleDescription } from '../../testing/accessible-description';
import { PluginFormGroup, PluginFormLine } from './plugin-form-group';

function Group() {
  const [names, setNames] = useState(['a', 'b', 'c']);
  const [removed, setRemoved] = useState<{ name: string; index: number }>();
  const onRemove = (name: string) => () => {
    setRemoved({ name, index: names.indexOf(name) });
    setNames(names.filter((one) => one !== name));
  };
  return (
    <PluginFormGroup
      label="Conditions"
      join="and"
      head={null}
      actions={[{ label: 'Add', icon: 'add', onPress: () => setNames([...names, 'new']) }]}
      undo={
        removed && {
          text: `${removed.name} removed`,
          label: 'Undo',
          index: removed.index,
          onUndo() {
            setNames([...names.slice(0, removed.index), removed.name, ...names.slice(removed.index)]);
            setRemoved(undefined);
          },
        }
      }
    >
      {names.map((name) => (
        <PluginFormLine
          key={name}
          label={name}
          what={<input aria-label={`what ${name}`} />}
          how={<input aria-label={`how ${name}`} />}
          actions={[
            { label: `case ${name}`, icon: 'letter-case', isPressed: name === 'a', onPress: () => {} },
            ...(names.length > 1
              ? [{ label: `remove ${name}`, icon: 'remove', onPress: onRemove(name) } as const]
              : []),
          ]}
        >
          <input aria-label={`values ${name}`} />
        </PluginFormLine>
      ))}
    </PluginFormGroup>
  );
}
const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => {
  button(name).focus();
  fireEvent.click(button(name));
};
const focused = () => document.activeElement?.getAttribute('aria-label');

it('writes the word that joins its parts between them, and frames a group in a group', () => {
  const { container } = render(
    <PluginFormGroup label="a" head={null} join="and" actions={[]}>
      <p>one</p>
      <PluginFormGroup label="b" head={null} join="or" actions={[]}>
        <PluginFormGroup label="c" head={null} join="and" actions={[]}>
          <p>two</p>
        </PluginFormGroup>
        <p>three</p>
      </PluginFormGroup>
    </PluginFormGroup>,
  );
  expect(container.textContent).toBe('aoneandbctwoorthree');
  const frames = [...container.querySelectorAll('fieldset')].map(({ className }) => className);
  expect(new Set(frames).size).toBe(3);
});

it('says what was removed, and leads to it once it is back where it stood', () => {
  render(<Group />);
  press('remove b');
  expect(screen.getByRole('status').textContent).toBe('b removedUndo');
  press('Undo');
  expect(focused()).toBe('what b');
  expect(
    screen
      .getAllByRole('group')
      .slice(1)
      .map((part) => part.querySelector('legend')?.textContent),
  ).toEqual(['a', 'b', 'c']);
  expect(screen.getByRole('status').textContent).toBe('');
});

it('leads to what is added', () => {
  render(<Group />);
  press('Add');
  expect(focused()).toBe('what new');
});

it('leads to what stands in the place of what was removed', () => {
  render(<Group />);
  press('remove b');
  expect(focused()).toBe('what c');
  press('remove c');
  expect(focused()).toBe('what a');
});

it('has a line’s parts in their order, and says of a switch whether it is on', () => {
  const { container } = render(<Group />);
  expect(
    within(container)
      .getAllByRole('textbox')
      .slice(0, 3)
      .map((box) => box.getAttribute('aria-label')),
  ).toEqual(['what a', 'how a', 'values a']);
  expect(button('case a').getAttribute('aria-pressed')).toBe('true');
  expect(button('case b').getAttribute('aria-pressed')).toBe('false');
});

it('tells whoever comes into it what is wrong with it', () => {
  render(
    <PluginFormGroup label="Any of" head={null} join="or" actions={[]} error="Add a condition">
      <input aria-label="inside" />
    </PluginFormGroup>,
  );
  expect(accessibleDescription(screen.getByRole('group', { name: 'Any of' }))).toBe('Add a condition');
});
