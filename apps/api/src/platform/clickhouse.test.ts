import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { createClickHouse, selectRows } from './clickhouse.ts';

it('a reading of a ClickHouse that takes requests and hangs ends as UNAVAILABLE', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clickhouse = createClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const inTime = AbortSignal.timeout.bind(AbortSignal);
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => inTime(ms / 300));
  try {
    await expect(selectRows(clickhouse as NonNullable<typeof clickhouse>, 'SELECT 1')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(timeout).toHaveBeenCalledWith(15_000);
  } finally {
    timeout.mockRestore();
    await clickhouse?.close();
    server.closeAllConnections();
    server.close();
  }
});
