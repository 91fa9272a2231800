// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { pluginFormUi } from './plugin-form-ui';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));

const { Seconds } = pluginFormUi;
function Form({ start, onSeconds }: { start: number; onSeconds: (seconds: number) => void }) {
  const [value, setValue] = useState(start);
  return (
    <Seconds
      label="Within"
      value={value}
      min={1}
      max={3600}
      error={value > 3600 ? 'wrong' : undefined}
      onChange={(seconds) => {
        onSeconds(seconds);
        setValue(seconds);
      }}
    />
  );
}

it('shows 240 s as 4 minutes, keeps the unit that is typed in, and answers seconds', async () => {
  const onSeconds = vi.fn();
  await renderDomains(<Form start={240} onSeconds={onSeconds} />);
  const user = userEvent.setup({ delay: null });
  const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Within' });
  expect(field.value).toBe('4');
  expect(screen.getByText('minutes')).toBeTruthy();
  await user.clear(field);
  expect(onSeconds).toHaveBeenLastCalledWith(Number.NaN);
  await user.type(field, '60');
  expect(onSeconds).toHaveBeenLastCalledWith(3600);
  expect(field.value).toBe('60');
  expect(screen.getByText('minutes')).toBeTruthy();
  await user.type(field, '0');
  expect(await screen.findByText('Enter 1 second to 1 hour.')).toBeTruthy();
});

it('says what else is wrong with a span that is within its bounds', async () => {
  await renderDomains(<Seconds label="Within" value={60} min={1} max={3600} error="too short" onChange={vi.fn()} />);
  expect(screen.getByText('too short')).toBeTruthy();
});
