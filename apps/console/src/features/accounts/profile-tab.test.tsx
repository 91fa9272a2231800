// @vitest-environment happy-dom
import { ApiError, type Me } from '@cordon/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { getIntl, needCatalogs, setLocale } from '../../app/intl-store';
import { meOptions } from '../../app/me';
import { networkReturns } from '../../domain/testing/network-returns';
import { renderDomains } from '../../domain/testing/render-domains';
import { hasUnsavedChanges } from '../../ui/unsaved-changes';
import ProfileTab from './profile-tab';

const api = vi.hoisted(() => ({ getMe: vi.fn(), updateMe: vi.fn(), changePassword: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const me = (change: { name?: string; locale?: 'en' | 'zh'; time_zone?: string } = {}) => ({
  user: { id: 'u', email: 'jane@example.com', name: 'Jane', locale: 'en', roles: ['user'], ...change },
  account: {
    id: 'a',
    name: '',
    time_zone: change.time_zone ?? 'UTC',
    suspended: false,
    created_at: '2026-11-01T00:00:00Z',
  },
});
const save = () => screen.getByRole('button', { name: 'Save' });

beforeEach(async () => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.getMe.mockResolvedValue({ result: me() });
  api.updateMe.mockImplementation(({ body }) => Promise.resolve({ result: me(body) }));
  await setLocale('en');
});
async function open() {
  await needCatalogs('accounts');
  await renderDomains(<ProfileTab />);
  await screen.findByDisplayValue('jane@example.com');
  return userEvent.setup({ delay: null });
}

it('saves what was changed and nothing else', async () => {
  const user = await open();
  expect(save().hasAttribute('disabled')).toBe(true);
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, ' Jane Doe ');
  await user.click(save());
  await waitFor(() => expect(api.updateMe).toHaveBeenCalledWith({ body: { name: 'Jane Doe' } }));
  await screen.findByText('Profile saved');
  await waitFor(() => expect(save().hasAttribute('disabled')).toBe(true));
});

it('keeps what is typed while a save is on its way', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  api.updateMe.mockImplementationOnce(async ({ body }) => {
    await answered;
    return { result: me(body) };
  });
  const user = await open();
  const name = screen.getByRole('textbox', { name: 'Name' }) as HTMLInputElement;
  await user.type(name, ' D');
  await user.click(save());
  await user.type(name, 'oe');
  answer();
  await screen.findByText('Profile saved');
  expect(name.value).toBe('Jane Doe');
  await user.click(save());
  await waitFor(() => expect(api.updateMe).toHaveBeenLastCalledWith({ body: { name: 'Jane Doe' } }));
});

it('changes the language and the time zone of the console with those of the profile', async () => {
  const user = await open();
  await user.click(screen.getByRole('combobox', { name: 'Language' }));
  await user.click(await screen.findByRole('option', { name: '简体中文' }));
  const zone = await screen.findByRole('combobox', { name: 'Time zone' });
  await user.clear(zone);
  await user.type(zone, 'shanghai');
  await user.click(await screen.findByRole('option', { name: 'Asia/Shanghai' }));
  await user.click(save());
  await waitFor(() => expect(getIntl()).toMatchObject({ locale: 'zh', timeZone: 'Asia/Shanghai' }));
  expect(api.updateMe).toHaveBeenCalledWith({ body: { locale: 'zh', time_zone: 'Asia/Shanghai' } });
});

it('follows a language that is chosen elsewhere, and keeps what is typed', async () => {
  await needCatalogs('accounts');
  const { client } = await renderDomains(<ProfileTab />);
  const user = userEvent.setup({ delay: null });
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, ' Doe');
  client.setQueryData(meOptions.queryKey, me({ locale: 'zh' }) as Me);
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Language' }).textContent).toContain('简体中文'));
  await user.click(save());
  await waitFor(() => expect(api.updateMe).toHaveBeenCalledWith({ body: { name: 'Jane Doe' } }));
});

const zone = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Time zone' });

it('replaces the time zone by what is typed after a press, and takes the first that fits by Enter', async () => {
  const user = await open();
  await user.click(await zone());
  await user.keyboard('shang{Enter}');
  expect((await zone()).value).toBe('Asia/Shanghai');
  expect(api.updateMe).not.toHaveBeenCalled();
});

it('neither saves nor drops a time zone that there is not', async () => {
  const user = await open();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' Doe');
  await user.click(await zone());
  await user.keyboard('shangx{Enter}');
  expect(await screen.findByText(/“shangx” is not a time zone; UTC is kept/)).toBeTruthy();
  expect(api.updateMe).not.toHaveBeenCalled();
  await user.tab();
  await waitFor(async () => expect((await zone()).value).toBe('UTC'));
  expect(screen.getByText(/“shangx” is not a time zone; UTC is kept/)).toBeTruthy();
});

it('takes a time zone that is typed in full and left', async () => {
  const user = await open();
  await user.click(await zone());
  await user.keyboard('asia/tokyo');
  await user.tab();
  await waitFor(async () => expect((await zone()).value).toBe('Asia/Tokyo'));
});

it('says that a name is too long rather than cut it', async () => {
  const user = await open();
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  await user.clear(name);
  await user.click(name);
  await user.paste('x'.repeat(101));
  expect(name.value).toHaveLength(101);
  expect(screen.getByText('Enter at most 100 characters')).toBeTruthy();
  await user.click(save());
  expect(api.updateMe).not.toHaveBeenCalled();
});

it('says at the field what was refused, and keeps what was typed', async () => {
  api.updateMe.mockRejectedValue(
    new ApiError(422, undefined, { success: false, time_zone: 'NOT_ALLOWED' } as never, []),
  );
  const user = await open();
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.type(name, ' Doe');
  await user.click(save());
  const zone = await screen.findByRole('combobox', { name: 'Time zone' });
  await waitFor(() => expect(zone.getAttribute('aria-invalid')).toBe('true'));
  expect((name as HTMLInputElement).value).toBe('Jane Doe');
});

it.each([
  [
    'a service that names a field that nobody knows',
    new ApiError(500, undefined, { detail: 'x' } as never, ['detail.x']),
    'Something went wrong on our side. Try again in a moment (status\u00a0500).',
  ],
  [
    'no network',
    new ApiError(0, undefined, undefined, ['Please check your network']),
    'Please check your network. Your input is kept: save it again.',
  ],
])('says that neither profile nor password was saved: %s', async (_what, error, text) => {
  const user = await open();
  api.updateMe.mockRejectedValue(error);
  api.changePassword.mockRejectedValue(error);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' Doe');
  await user.click(save());
  expect((await screen.findByRole('alert')).textContent).toBe(text);
  for (const label of ['Current password', 'New password'])
    await user.type(screen.getByLabelText(label), 'harbour-lantern-42');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([text, text]));
  networkReturns();
  const left = error.status === 0 ? 0 : 2;
  expect(screen.queryAllByRole('alert')).toHaveLength(left);
});

it('changes the password, and says which devices are signed out', async () => {
  const user = await open();
  api.changePassword.mockResolvedValue({ success: true });
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByText('Use at least 10 characters');
  expect(api.changePassword).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText('Current password'), 'tundra-violin-87');
  const typed = screen.getByLabelText('New password') as HTMLInputElement;
  await user.type(typed, 'harbour-lantern-42');
  await user.click(screen.getByRole('button', { name: 'Show new password', pressed: false }));
  expect(typed.type).toBe('text');
  expect(screen.queryByText('Use at least 10 characters')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByText('Password changed. All other devices are signed out.');
  expect(api.changePassword.mock.calls[0]?.[0]).toMatchObject({
    body: { current_password: 'tundra-violin-87', new_password: 'harbour-lantern-42' },
  });
});

it.each(['Current password', 'New password'])(
  'counts a typed %s as what would be lost, until it is changed',
  async (label) => {
    const user = await open();
    api.changePassword.mockResolvedValue({ success: true });
    expect(hasUnsavedChanges()).toBe(false);
    await user.type(screen.getByLabelText(label), 'harbour-lantern-42');
    expect(hasUnsavedChanges()).toBe(true);
    for (const one of ['Current password', 'New password'])
      await user.type(screen.getByLabelText(one), 'harbour-lantern-42');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
  },
);
