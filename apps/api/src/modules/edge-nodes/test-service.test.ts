import { expect, it } from 'vitest';
import { ZodError } from 'zod';
import { createEdgeTestService } from './test-service.ts';

it('hands no node a test that nodes leave out, which would be waited for in vain', async () => {
  const { run } = createEdgeTestService({} as never, {} as never);
  const request = { method: 'GET', headers: [], address: '192.0.2.1', country: '', times: 1 };
  const test = { route_id: crypto.randomUUID(), host: 'www.example.com' };
  await expect(run('eu', { ...test, requests: [{ ...request, target: `/${'a'.repeat(2000)}` }] })).rejects.toThrow(
    ZodError,
  );
});
