// @vitest-environment happy-dom
import { isRedirect } from '@tanstack/react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { openLinkedRequest } from './linked-request';

const api = vi.hoisted(() => ({ listRecentRequests: vi.fn() }));
const notify = vi.hoisted(() => vi.fn());
vi.mock('../app/api-client', () => ({ api }));
vi.mock('../ui/notices', () => ({ notify }));

const ROUTE_ID = '0190f3a0-0000-7000-8000-000000000001';
beforeEach(() => {
  notify.mockReset();
  api.listRecentRequests.mockReset().mockResolvedValue({ result: [{ route_id: ROUTE_ID }] });
});

const redirectOf = async (search: string) => {
  const thrown = await openLinkedRequest(search).catch((error: unknown) => error);
  if (!isRedirect(thrown)) throw thrown;
  return thrown.options;
};

it.each(['5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5', '12345678901234567890123456789012', '1e345678901234567890123456789012'])(
  'goes to the trace of %s',
  async (id) => {
    expect(await redirectOf(`?request=${id}`)).toMatchObject({
      to: '/domain/list/$id',
      params: { id: ROUTE_ID },
      search: { tab: 'diagnosis', view: 'trace', request: id },
    });
    expect(api.listRecentRequests.mock.calls[0]?.[0].query).toEqual({ request_id: id, limit: 1 });
    expect(notify).not.toHaveBeenCalled();
  },
);

it('says that no domain of the account has the request', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [] });
  expect(await redirectOf('?request=5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5')).toMatchObject({
    to: '/domain/list',
    search: {},
  });
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'No request has this ID' }));
});

it('asks nothing for what is no id', async () => {
  expect(await redirectOf('?request=<script>')).toMatchObject({ to: '/domain/list' });
  expect(api.listRecentRequests).not.toHaveBeenCalled();
  expect(notify).toHaveBeenCalledTimes(1);
});

it('leaves a failure to the screen, which offers to try again', async () => {
  api.listRecentRequests.mockRejectedValue(new Error('offline'));
  await expect(openLinkedRequest('?request=5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5')).rejects.toThrow('offline');
});
