// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { IdentityApp } from './identity-app';

type Handler = (url: string, body: Record<string, unknown> | undefined) => { status: number; body: unknown };
const assign = vi.fn();
const replace = vi.fn();

/** The provider is outside this program; it answers over its own protocol. */
function provider(handler: Handler) {
  const calls: { url: string; body: Record<string, unknown> | undefined }[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const body = init?.body === undefined ? undefined : (JSON.parse(String(init.body)) as Record<string, unknown>);
    if (body) calls.push({ url, body });
    const answer = handler(url, body);
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  });
  return calls;
}
const open = () => ({ status: 200, body: { prompt: 'login', brand: 'cordon', client: 'cordon-console' } });

beforeEach(() => {
  window.location.hash = '#/pages/login?interaction=i%2F1';
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  assign.mockReset();
  replace.mockReset();
});

test('signing in sends e-mail and password to the interaction and leaves where the provider says', async () => {
  const calls = provider((_, body) => (body ? { status: 200, body: { redirect_to: '/auth/resume' } } : open()));
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), ' lena@example.com ');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/auth/resume'));
  expect(calls).toEqual([
    {
      url: '/auth/realms/cordon/interaction/i%2F1/login',
      body: { email: 'lena@example.com', password: 'correct horse' },
    },
  ]);
});

test('two presses in one turn send one form, and a refused one can be sent again', async () => {
  const calls = provider((_, body) =>
    body ? { status: 401, body: { success: false, code: 'CREDENTIALS_WRONG' } } : open(),
  );
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'x');
  const form = screen.getByLabelText('Password').closest('form') as HTMLFormElement;
  const press = () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  const pressTwice = () =>
    act(() => {
      press();
      press();
    });
  pressTwice();
  await screen.findByText('E-mail or password is wrong');
  expect(calls).toHaveLength(1);
  pressTwice();
  await waitFor(() => expect(calls).toHaveLength(2));
});

test('wrong credentials are told and the form stays', async () => {
  provider((_, body) => (body ? { status: 401, body: { success: false, code: 'CREDENTIALS_WRONG' } } : open()));
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}');
  expect(await screen.findByText('E-mail or password is wrong')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('x');
});

test.each([
  [{ TOO_MANY_REQUESTS: { seconds: 765 } }, 'Too many attempts. Try again in 13 minutes.'],
  [{ TOO_MANY_REQUESTS: { seconds: 31 } }, 'Too many attempts. Try again in 31 seconds.'],
  [undefined, 'Too many attempts. Wait a moment, then try again.'],
])('the lock says how long it lasts: %j', async (params, words) => {
  provider((_, body) => (body ? { status: 429, body: { success: false, code: 'TOO_MANY_REQUESTS', params } } : open()));
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}');
  expect(await screen.findByText(words)).toBeTruthy();
});

test('after registering with an address that may be known, says how it goes on without saying whether it was', async () => {
  provider(() => ({ status: 200, body: { result: { prompt: 'login', after_registration: true } } }));
  renderWithWords(<IdentityApp />);
  const words = (await screen.findByRole('status')).textContent ?? '';
  expect(words).toMatch(/New accounts are signed in right after registration.*If you had an account before, sign in/);
  expect(words).not.toMatch(/exists|taken|already|in use/i);
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
});

test('without a registration, no notice about registering is shown', async () => {
  provider(open);
  renderWithWords(<IdentityApp />);
  await screen.findByRole('button', { name: 'Sign in' });
  expect(screen.queryByRole('status')).toBeNull();
});

test('registering explains the password as one types and shows what the provider refuses', async () => {
  window.location.hash = '#/pages/register?interaction=i1';
  const calls = provider((_, body) =>
    body ? { status: 422, body: { success: false, password: 'PASSWORD_BREACHED' } } : open(),
  );
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'password1');
  expect(screen.getByText(/1 more to go/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(calls).toHaveLength(0);
  expect(screen.getByText('Accept the terms to continue')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Password'), '2');
  await userEvent.click(screen.getByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect((await screen.findByText(/has been leaked. Choose another/)).dataset.state).toBe('broken');
  expect(calls[0]?.body).toMatchObject({ email: 'a@b.c', password: 'password12', locale: 'en' });
});

test('an error finds its room kept: a line below each field, and one above them', async () => {
  provider(open);
  renderWithWords(<IdentityApp />);
  const email = await screen.findByLabelText('E-mail address');
  expect(email.parentElement?.lastElementChild?.textContent).toBe('\u00A0');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(email.parentElement?.textContent).not.toContain('\u00A0');
  expect(email.parentElement?.children).toHaveLength(3);
});

test('an expired interaction offers to start again', async () => {
  provider(() => ({ status: 404, body: { success: false, code: 'INTERACTION_EXPIRED' } }));
  renderWithWords(<IdentityApp />);
  await userEvent.click(await screen.findByRole('button', { name: 'Start again' }));
  expect(replace).toHaveBeenCalledWith(`${window.location.origin}/`);
});

test('without an interaction sign-in is started', () => {
  window.location.hash = '#/pages/login';
  provider(open);
  renderWithWords(<IdentityApp />);
  expect(replace).toHaveBeenCalledWith(`${window.location.origin}/`);
});

test('the rules of a password stay, each marked met or broken', async () => {
  window.location.hash = '#/pages/register?interaction=i1';
  provider(open);
  renderWithWords(<IdentityApp />);
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  const password = screen.getByLabelText('Password');
  const states = () =>
    within(screen.getByRole('list', { name: 'Your password' }))
      .getAllByRole('listitem')
      .map(({ dataset }) => dataset.state);
  expect(states()).toEqual(['broken', 'unmet', 'unmet']);
  expect(password.getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(password, 'p');
  expect(states()).toEqual(['unmet', 'met', 'unmet']);
  expect(screen.getByText(/At least 10 characters – 9 more to go/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('E-mail address'), 'lena@example.com');
  await userEvent.clear(password);
  await userEvent.type(password, 'lena@example.com');
  expect(states()).toEqual(['met', 'broken', 'unmet']);
});

test('a character that is no text is told at its field', async () => {
  window.location.hash = '#/pages/register?interaction=i1';
  provider((_, body) => (body ? { status: 422, body: { success: false, name: 'TEXT_INVALID' } } : open()));
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'a long password');
  await userEvent.click(screen.getByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText(/Contains an invalid character/)).toBeTruthy();
});

test('a sign-in service that is down is not blamed on the network', async () => {
  provider(() => ({ status: 502, body: {} }));
  renderWithWords(<IdentityApp />);
  expect(await screen.findByText(/not available right now/)).toBeTruthy();
  expect(screen.queryByText(/network/)).toBeNull();
});

test('without an answer the network is named', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  renderWithWords(<IdentityApp />);
  expect(await screen.findByText('Please check your network')).toBeTruthy();
});

test('a form that is not answered by the provider itself says that the service is not available', async () => {
  provider((_, body) => (body ? { status: 503, body: {} } : open()));
  renderWithWords(<IdentityApp />);
  await userEvent.type(screen.getByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}');
  expect(await screen.findByText(/not available right now/)).toBeTruthy();
});

test('registering says that a name is too long rather than cut it', async () => {
  window.location.hash = '#/pages/register?interaction=i1';
  const calls = provider(open);
  renderWithWords(<IdentityApp />);
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  await userEvent.click(name);
  await userEvent.paste('x'.repeat(101));
  expect(name.value).toHaveLength(101);
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(screen.getByText('Use at most 100 characters')).toBeTruthy();
  expect(calls).toHaveLength(0);
});

test('the terms can be read where they are accepted', async () => {
  window.location.hash = '#/pages/register?interaction=i1';
  provider(open);
  renderWithWords(<IdentityApp />);
  const terms = document.querySelector('dialog');
  expect(terms?.open).toBe(false);
  await userEvent.click(screen.getByText('terms of service'));
  expect(terms?.open).toBe(true);
  await waitFor(() => expect(document.title).toMatch(/^Terms of service/));
  expect(terms?.textContent).toContain('delivers and protects the domains you add');
  await userEvent.click(screen.getByRole('button', { name: 'Close', hidden: true }));
  expect(terms?.open).toBe(false);
});

test('terms that the operator has published open beside the form', async () => {
  window.location.hash = '#/pages/register?interaction=i1';
  provider(() => ({ status: 200, body: { result: { prompt: 'create', terms_url: 'https://acme.example/terms' } } }));
  renderWithWords(<IdentityApp />);
  const link = await screen.findByRole('link', { name: 'terms of service' });
  expect(link.getAttribute('href')).toBe('https://acme.example/terms');
  expect(link.getAttribute('target')).toBe('_blank');
});

test.each([
  ['login', /^Sign in ·/],
  ['register', /^Create /],
])('the tab of the browser says that this is %s', async (form, title) => {
  window.location.hash = `#/pages/${form}?interaction=i%2F1`;
  provider(() => open());
  renderWithWords(<IdentityApp />);
  await waitFor(() => expect(document.title).toMatch(title));
});

test.each(['login', 'register'])('that no answer comes is said after 10 s, with the ways on: %s', async (form) => {
  window.location.hash = `#/pages/${form}?interaction=i1`;
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', (_url: string, init?: RequestInit) => {
    if (!init?.body) return Promise.resolve(new Response(JSON.stringify(open().body)));
    signals.push(init.signal as AbortSignal);
    return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  });
  renderWithWords(<IdentityApp />);
  await userEvent.type(await screen.findByLabelText('E-mail address'), 'a@b.c');
  await userEvent.type(screen.getByLabelText('Password'), 'a long password');
  if (form === 'register') await userEvent.click(screen.getByRole('checkbox'));
  const submit = screen.getByRole('button', { name: form === 'login' ? 'Sign in' : 'Create account' });
  vi.useFakeTimers();
  const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  fireEvent.click(submit);
  expect(submit.getAttribute('aria-busy')).toBe('true');
  await after(9_900);
  expect(screen.queryByText(/^No answer yet/)).toBeNull();
  await after(200);
  screen.getByText('No answer yet.');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await after(0);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(submit.getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText(/^No answer yet/)).toBeNull();
  await after(10_100);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await after(0);
  expect(signals[1]?.aborted).toBe(true);
  expect(submit.getAttribute('aria-busy')).toBeNull();
  expect(document.activeElement).toBe(submit);
  expect(screen.queryByText(/^No answer yet/)).toBeNull();
});
