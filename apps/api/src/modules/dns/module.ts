import { Resolver } from 'node:dns/promises';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { clientAddress } from '../../settings/name-servers.ts';
import { createDnsService } from './service.ts';

const ANSWER_MS_MAX = 2_000;

export interface DnsModuleOptions {
  readonly platform: Platform;
}

/** What the name servers of the edge domain need, and whether the one of this machine answers. */
export function createDnsModule({ platform }: DnsModuleOptions): ApiModule {
  const { env, db, log } = platform;
  const service = createDnsService(env, db, log);
  return {
    start: () => service.prepare(),
    health:
      env.dnsPort === undefined
        ? []
        : [
            {
              name: 'dns',
              isEssential: false,
              check: async () => {
                const address = clientAddress(env.bind);
                const resolver = new Resolver({ timeout: ANSWER_MS_MAX, tries: 1 });
                resolver.setServers([
                  address.includes(':') ? `[${address}]:${env.dnsPort}` : `${address}:${env.dnsPort}`,
                ]);
                await resolver.resolveSoa(env.edgeDomain);
                return `answers ${env.edgeDomain}`;
              },
            },
          ],
  };
}
