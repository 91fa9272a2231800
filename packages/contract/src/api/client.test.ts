import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  createClient,
  isNotFound,
  operations,
  operationUrl,
  REQUEST_TIMEOUT_MS,
  rejectionList,
} from '../../index.ts';

const clientAnswering = (answer: () => Response | Promise<Response>, seen: Request[] = []) =>
  createClient({
    origin: 'http://console.test',
    headers: () => ({ authorization: 'Bearer t', realm: 'cordon' }),
    timeoutMs: 1000,
    fetch: async (input, init) => {
      seen.push(new Request(input, init));
      return answer();
    },
  });
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

describe('rejection shape, spec section 8', () => {
  it('an object body: each key.value pair except success', () => {
    expect(rejectionList({ success: false, code: 'QUOTA_REACHED', message: 'x', request_id: 'r' })).toEqual([
      'code.QUOTA_REACHED',
    ]);
    expect(rejectionList({ success: false, 'upstreams.targets.0.port': 'PORT_FORBIDDEN', message: 'x' })).toEqual([
      'upstreams.targets.0.port.PORT_FORBIDDEN',
    ]);
  });
  it('otherwise the message, or Request error', () => {
    expect(rejectionList({ success: false, message: 'Something' })).toEqual(['Something']);
    expect(rejectionList('<html>')).toEqual(['Request error']);
    expect(rejectionList(undefined)).toEqual(['Request error']);
  });
  it('without a response: Please check your network', async () => {
    const error = await failureOf(clientAnswering(() => Promise.reject(new TypeError('fetch failed'))).getMe());
    expect(error.list).toEqual(['Please check your network']);
    expect(error.status).toBe(0);
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

describe('a call that is never answered', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('ends after 20 minutes, as one without a network', async () => {
    vi.useFakeTimers();
    // Node's own timer of the signal does not follow the clock of the test.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), milliseconds);
      return controller.signal;
    });
    const client = createClient({
      origin: 'http://console.test',
      headers: () => ({}),
      timeoutMs: REQUEST_TIMEOUT_MS,
      fetch: (_input, init) =>
        new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    });
    const ended = vi.fn();
    const failure = failureOf(client.getMe()).finally(ended);
    await vi.advanceTimersByTimeAsync(20 * 60_000 - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalled();
    const { list, cause } = await failure;
    expect(list).toEqual(['Please check your network']);
    expect((cause as DOMException).name).toBe('TimeoutError');
  });
});

describe('client', () => {
  it('sends authorization and realm with every call', async () => {
    const seen: Request[] = [];
    await clientAnswering(() => json(200, { success: true, results: [] }), seen).listRoutes({
      query: { q: 'a b', page: 2 },
    });
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer t');
    expect(seen[0]?.headers.get('realm')).toBe('cordon');
    expect(seen[0]?.url).toBe('http://console.test/api/v1/domain/routes/?q=a+b&page=2');
  });
  it('sends the revision of an edit as If-Match', async () => {
    const seen: Request[] = [];
    await clientAnswering(() => json(200, {}), seen).updateRoute({
      params: { id: 'x' },
      body: { remarks: 'r' },
      ifMatch: 7,
    });
    expect(seen[0]?.headers.get('if-match')).toBe('"7"');
    expect(seen[0]?.method).toBe('PATCH');
  });
  it('asks for a minimal answer where it is preferred', async () => {
    const seen: Request[] = [];
    const save = { params: { id: 'x' }, body: { remarks: 'r' }, ifMatch: 7 } as const;
    const client = clientAnswering(() => json(200, {}), seen);
    await client.updateRoute({ ...save, prefersMinimal: true });
    await client.updateRoute(save);
    expect(seen.map(({ headers }) => headers.get('prefer'))).toEqual(['return=minimal', null]);
  });
  it.each([
    ['the API says so', json(404, { success: false, code: 'NOT_FOUND', message: 'm', request_id: 'r' }), true],
    ['the page of a proxy', new Response('<h1>404</h1>', { status: 404 }), false],
    ['JSON of a proxy', json(404, { message: 'no route' }), false],
    ['another refusal', json(403, { success: false, code: 'ROLE_MISSING', message: 'm', request_id: 'r' }), false],
  ])('takes for missing what the API says is missing: %s', async (_what, answer, isMissing) => {
    expect(isNotFound(await failureOf(clientAnswering(() => answer.clone()).getMe()))).toBe(isMissing);
  });
  it('gives field errors by path', async () => {
    const error = await failureOf(
      clientAnswering(() =>
        json(422, { success: false, domain_name: 'DOMAIN_NAME_TAKEN', message: 'm', request_id: 'r' }),
      ).getMe(),
    );
    expect(error.fields).toEqual({ domain_name: 'DOMAIN_NAME_TAKEN' });
    expect(error.status).toBe(422);
  });
  it('escapes path parameters', () =>
    expect(operationUrl(operations.getRoute, { params: { id: 'a/b' } })).toBe('/api/v1/domain/routes/a%2Fb/'));
});
