// @vitest-environment happy-dom
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRequest } from './authorization-request';
import { answerIn, finishRequest, isUnanswered, type OpenidClient, refresh, type Tokens } from './openid';
import { signOutAddress } from './sign-out-address';

const ISSUER = 'https://id.example.com/realms/customers';
const client: OpenidClient = {
  endpoints: {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/auth?kc=1`,
    token_endpoint: `${ISSUER}/token`,
    end_session_endpoint: `${ISSUER}/logout`,
    id_token_signing_alg_values_supported: ['ES256'],
  },
  client_id: 'cordon-console',
  resource: 'https://console.example.com/api/v1/',
};
const target = {
  authorization_endpoint: client.endpoints.authorization_endpoint,
  client_id: client.client_id,
  resource: client.resource,
  redirect_uri: 'https://console.example.com/',
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: object) => `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`;
const iat = Math.floor(Date.now() / 1000);
const claims = { iss: ISSUER, aud: 'cordon-console', iat, exp: iat + 300, sub: 'u1' };
const answered = (id_token: string, more: object = {}) =>
  Response.json({
    access_token: 'a',
    token_type: 'Bearer',
    id_token,
    refresh_token: 'r',
    expires_in: 300,
    ...more,
  });
const tokens: Tokens = { access_token: 'a', id_token: jwt(claims), refresh_token: 'r', expiresAt: 0 };

const sent = vi.fn<typeof fetch>();
beforeEach(() => {
  sessionStorage.clear();
  sent.mockReset().mockImplementation(async () => answered(jwt(claims)));
  vi.stubGlobal('fetch', sent);
});
afterEach(() => vi.unstubAllGlobals());
const bodySent = () => Object.fromEntries(sent.mock.calls.at(-1)?.[1]?.body as URLSearchParams);

async function begin(hash = '#/domain/list/1') {
  const url = new URL(await createRequest(target, hash));
  return { url, state: url.searchParams.get('state') ?? '' };
}

it('asks for a code with PKCE, and gets the tokens with the verifier that only this tab knows', async () => {
  const { url, state } = await begin();
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    kc: '1',
    response_type: 'code',
    client_id: 'cordon-console',
    redirect_uri: 'https://console.example.com/',
    resource: client.resource,
    scope: 'openid profile email offline_access',
    code_challenge_method: 'S256',
  });
  const { tokens: got, hash } = await finishRequest(client, new URLSearchParams({ state, code: 'c', iss: ISSUER }));
  expect([got.access_token, got.refresh_token, hash]).toEqual(['a', 'r', '#/domain/list/1']);
  expect(bodySent()).toMatchObject({ grant_type: 'authorization_code', code: 'c', redirect_uri: target.redirect_uri });
  const challenge = createHash('sha256').update(String(bodySent().code_verifier)).digest('base64url');
  expect(url.searchParams.get('code_challenge')).toBe(challenge);
});

it('an answer is taken once, and only to a request of this tab', async () => {
  const { state } = await begin();
  const answer = new URLSearchParams({ state, code: 'c' });
  await finishRequest(client, answer);
  await expect(finishRequest(client, answer)).rejects.toThrow('no request of this tab');
  await expect(finishRequest(client, new URLSearchParams({ state: 'x', code: 'c' }))).rejects.toThrow('no request');
});

it.each([
  ['another issuer', { iss: 'https://evil.example.com' }, claims, '"iss" (issuer)'],
  ['an ID token of another issuer', {}, { ...claims, iss: 'https://evil.example.com' }, 'unexpected JWT "iss"'],
  ['an ID token for another client', {}, { ...claims, aud: 'other' }, 'unexpected JWT "aud"'],
  ['an ID token that has expired', {}, { ...claims, exp: iat - 301 }, 'JWT "exp"'],
  ['an ID token without a subject', {}, { ...claims, sub: undefined }, 'JWT "sub"'],
])('refuses the answer of %s', async (_what, parameters, idToken, why) => {
  sent.mockResolvedValue(answered(jwt(idToken)));
  const { state } = await begin();
  const answer = new URLSearchParams({ state, code: 'c', ...parameters });
  await expect(finishRequest(client, answer)).rejects.toThrow(why);
});

it('says why the provider refused', async () => {
  const { state } = await begin();
  const answer = answerIn(`?state=${state}&error=login_required&error_description=End-User%20is%20required`);
  await expect(finishRequest(client, answer ?? new URLSearchParams())).rejects.toMatchObject({
    error_description: 'End-User is required',
  });
  expect(sent).not.toHaveBeenCalled();
});

it('an address without state, or with neither code nor error, is no answer', () => {
  expect(['?code=x', '?state=x', ''].map(answerIn)).toEqual([undefined, undefined, undefined]);
});

it('a refresh keeps what the provider does not send anew, and takes no other user', async () => {
  sent.mockResolvedValueOnce(
    answered(jwt(claims), { id_token: undefined, refresh_token: undefined, access_token: 'b' }),
  );
  expect(await refresh(client, tokens)).toMatchObject({
    access_token: 'b',
    refresh_token: 'r',
    id_token: tokens.id_token,
  });
  expect(bodySent()).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'r' });
  // Asked for again, a scope that was not granted would be refused (RFC 6749, section 6).
  expect(bodySent()).not.toHaveProperty('scope');
  sent.mockResolvedValueOnce(answered(jwt({ ...claims, sub: 'u2' })));
  await expect(refresh(client, tokens)).rejects.toThrow('another user');
  sent.mockResolvedValueOnce(Response.json({ error: 'invalid_grant' }, { status: 400 }));
  await expect(refresh(client, tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
});

it('signs out at the provider with the ID token, which asks no question', () => {
  const url = new URL(signOutAddress(client, tokens) ?? '');
  expect(url.href).toMatch(`${ISSUER}/logout?`);
  expect(url.searchParams.get('id_token_hint')).toBe(tokens.id_token);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${location.origin}/`);
});

it('requests that were left are forgotten after an hour', async () => {
  sessionStorage.setItem('sign_in.old', JSON.stringify({ at: Date.now() - 3_700_000 }));
  const { state } = await begin();
  expect(Object.keys(sessionStorage)).toEqual([`sign_in.${state}`]);
});

it.each([
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), true],
  ['what stands before the provider', async () => new Response('<html>', { status: 502 }), true],
  ['the provider, which refuses', async () => Response.json({ error: 'invalid_grant' }, { status: 400 }), false],
])('tells a refusal from no answer: %s', async (_what, answer, expected) => {
  sent.mockImplementation(answer);
  const cause: unknown = await refresh(client, tokens).catch((error: unknown) => error);
  expect(isUnanswered(cause)).toBe(expected);
});
