// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RadioCards, SegmentedControl } from './choice';
import { Field } from './field';

const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const described = (group: HTMLElement) =>
  (group.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' | ');

it.each([
  ['cards', RadioCards],
  ['a segmented control', SegmentedControl],
] as const)('joins error and hint of its field to %s, and says that it is wrong', (_, Choices) => {
  const choices = <Choices options={options} value="a" onValueChange={() => {}} />;
  const { rerender } = render(
    <Field label="Which" hint="One of them." error="Choose another one.">
      {choices}
    </Field>,
  );
  const group = screen.getByRole('radiogroup', { name: 'Which' });
  expect(group.getAttribute('aria-invalid')).toBe('true');
  expect(described(group)).toBe('Choose another one. | One of them.');
  rerender(
    <Field label="Which" required>
      {choices}
    </Field>,
  );
  expect(group.getAttribute('aria-invalid')).toBeNull();
  expect(group.getAttribute('aria-describedby')).toBeNull();
  expect(group.getAttribute('aria-required')).toBe('true');
});

it('takes nothing of the field around it where it has a name of its own', () => {
  render(
    <Field label="Which" error="Wrong.">
      <RadioCards label="Another" options={options} value="a" onValueChange={() => {}} />
    </Field>,
  );
  expect(screen.getByRole('radiogroup', { name: 'Another' }).getAttribute('aria-invalid')).toBeNull();
});
