import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { serveHealth } from './health-server.ts';

const TOKEN = 'a-token-of-prometheus';
const source = {
  parts: () => [{ name: 'nginx', isReady: true, isRequired: true, detail: 'running' }],
  figures: () => ({ routes: 7, shield_requests_total: 3 }),
  series: () => ({ cache_requests_total: { hit: 5, miss: 2 }, dictionary_free_bytes: { cordon_meta: 4096 } }),
};

it('shows parts and figures to this machine and to who has the token, to all others whether the node is ready', async () => {
  const server = await serveHealth(0, source, TOKEN);
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<[number, string]>((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve([response.statusCode ?? 0, text]));
      });
      request.on('error', reject);
    });
  try {
    const authorization = `Bearer ${TOKEN}`;
    const own: Record<string, string>[] = [{}, { host: `localhost:${port}` }, { via: '1.1 proxy', authorization }];
    for (const headers of own) {
      expect((await ask('/readyz', headers))[1]).toContain('"detail":"running"');
      const text = (await ask('/metrics', headers))[1];
      for (const line of [
        '# TYPE cordon_edge_routes gauge\ncordon_edge_routes 7\n',
        '# TYPE cordon_edge_shield_requests_total counter\ncordon_edge_shield_requests_total 3\n',
        'counter\ncordon_edge_cache_requests_total{outcome="hit"} 5\ncordon_edge_cache_requests_total{outcome="miss"} 2\n',
        'gauge\ncordon_edge_dictionary_free_bytes{dictionary="cordon_meta"} 4096\n',
      ])
        expect(text).toContain(line);
    }
    const elsewhere = { host: 'rebound.example' };
    const others: Record<string, string>[] = [
      elsewhere,
      { 'x-forwarded-for': '127.0.0.1' },
      { ...elsewhere, authorization: 'Bearer x' },
    ];
    for (const headers of others) {
      expect(await ask('/readyz', headers)).toEqual([200, '{"ready":true}\n']);
      expect((await ask('/metrics', headers))[0]).toBe(401);
    }
  } finally {
    server.close();
  }
});
