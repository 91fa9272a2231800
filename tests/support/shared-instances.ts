import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { Instance, type InstanceAddress } from './instance.ts';
import { originPorts } from './origin-ports.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL below which `/<number of a worker>` returns where the instance of that worker runs. */
    sharedInstances: string;
  }
}

/**
 * One instance for each worker of a run, started when the first of its files asks, stopped when the run ends. Files are kept apart by
 * their accounts and names.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const instances = new Map<number, Promise<Instance>>();
  const start = (worker: number, dns: URLSearchParams) =>
    Instance.start({
      environment: {
        CORDON_RESOLVER: dns.get('resolver') ?? '',
        CORDON_PUBLIC_RESOLVERS: dns.get('elsewhere') ?? '',
        CORDON_UPSTREAM_ALLOW: originPorts(worker)
          .map((port) => `127.0.0.1:${port}`)
          .join(','),
        // So that a test can come from any address.
        CORDON_TRUSTED_PROXIES: '127.0.0.1',
      },
    });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://setup');
    const worker = Number(url.pathname.slice(1));
    const instance = instances.get(worker) ?? start(worker, url.searchParams);
    instances.set(worker, instance);
    instance.then(
      ({ dataDirectory, ports }) => response.end(JSON.stringify({ dataDirectory, ports } satisfies InstanceAddress)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('sharedInstances', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await Promise.allSettled([...instances.values()].map(async (instance) => (await instance).stop()));
  };
}
