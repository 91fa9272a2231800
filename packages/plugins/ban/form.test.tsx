// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import BanForm from './form.tsx';

function Form({ start, seen }: { start: number; seen: (seconds: number) => void }) {
  const [value, setValue] = useState({ default_timeout: start });
  return (
    <>
      <BanForm
        value={value}
        onChange={(next) => {
          seen(next.default_timeout);
          setValue(next);
        }}
        errors={{}}
        t={(key) => key}
        ui={plainFormUi}
        disabled={false}
      />
      <button type="button" onClick={() => setValue({ default_timeout: 7200 })}>
        reset
      </button>
    </>
  );
}
function show(start: number) {
  const seen: number[] = [];
  render(<Form start={start} seen={(seconds) => seen.push(seconds)} />);
  return { seen, field: screen.getByLabelText<HTMLInputElement>('fields.default_timeout.label') };
}

it.each([
  [3600, '1h'],
  [90, '90s'],
  [172_800, '2d'],
])('shows %i seconds as %s', (seconds, text) => {
  expect(show(seconds).field.value).toBe(text);
});

it('keeps the unit that is chosen, and gives seconds', () => {
  const { seen, field } = show(3600);
  fireEvent.change(field, { target: { value: '60m' } });
  expect(field.value).toBe('60m');
  fireEvent.change(field, { target: { value: 'm' } });
  expect(field.value).toBe('m');
  expect(seen).toEqual([3600, Number.NaN]);
});

it('shows what it is given anew', () => {
  const { field } = show(3600);
  fireEvent.change(field, { target: { value: '60m' } });
  fireEvent.click(screen.getByText('reset'));
  expect(field.value).toBe('2h');
});
