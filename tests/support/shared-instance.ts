import { inject } from 'vitest';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { Instance, type InstanceAddress } from './instance.ts';
import { worker } from './origin-ports.ts';

/** The name servers that the shared instance asks, for names that no other file has. */
interface SharedDns {
  readonly dns: DnsServer;
  /** A resolver of others, where changes arrive later. */
  readonly elsewhere: DnsServer;
}

let servers: Promise<SharedDns> | undefined;

/** Of this worker; they end with it. */
export function sharedDns(): Promise<SharedDns> {
  servers ??= Promise.all([startDnsServer(), startDnsServer()]).then(([dns, elsewhere]) => ({ dns, elsewhere }));
  return servers;
}

/**
 * The instance of this worker, for files that need no settings of their own and stop no part. It goes on when the file ends, so every file
 * has accounts and names of its own; their origins are those of `startOrigin`, and DNS is what `sharedDns` answers.
 */
export async function sharedInstance(): Promise<Instance> {
  const { dns, elsewhere } = await sharedDns();
  const query = new URLSearchParams({ resolver: dns.address, elsewhere: elsewhere.address });
  const response = await fetch(`${inject('sharedInstances')}/${worker}?${query}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return Instance.at(JSON.parse(text) as InstanceAddress);
}
