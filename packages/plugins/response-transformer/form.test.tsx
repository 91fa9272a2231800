// @vitest-environment happy-dom
import { plainFormUi } from '@cordon/plugin-kit/testing/form';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import ResponseTransformerForm from './form.tsx';
import { schema } from './schema.ts';
import { suggestions } from './suggestions.ts';

function show(...headers: { name: string; value: string }[]) {
  const onChange = vi.fn();
  const t = (key: string) => key;
  const value = { add: { headers } };
  render(
    <ResponseTransformerForm value={value} onChange={onChange} errors={{}} t={t} ui={plainFormUi} disabled={false} />,
  );
  return onChange;
}
const button = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) });

it('adds a row with one press, in place of rows that were never filled in', () => {
  const onChange = show({ name: 'X-Own', value: 'yes' }, { name: '', value: '' });
  fireEvent.click(button('X-Content-Type-Options'));
  expect(onChange).toHaveBeenCalledExactlyOnceWith({
    add: {
      headers: [
        { name: 'X-Own', value: 'yes' },
        { name: 'X-Content-Type-Options', value: 'nosniff' },
      ],
    },
  });
});

it('knows what is there already, however it is written', () => {
  show({ name: ' x_frame-OPTIONS', value: 'DENY' });
  expect(button('X-Frame-Options').getAttribute('aria-disabled')).toBe('true');
  expect(button('Referrer-Policy').getAttribute('aria-disabled')).toBe('false');
});

it('suggests only what its own schema takes', () => {
  const headers = suggestions.map(({ name, value }) => ({ name, value }));
  expect(schema.parse({ add: { headers } }).add.headers).toEqual(headers);
});

it('warns of what browsers remember', () => {
  show({ name: 'Strict-Transport-Security', value: 'max-age=86400; preload' });
  expect(screen.getByText('warnings.transport_security.preload')).toBeTruthy();
});
