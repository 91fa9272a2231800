import { isIP } from 'node:net';

/** What a PowerDNS process answers from. */
export type Source = 'database' | 'copy';

export interface PdnsPlace {
  readonly bind: string;
  readonly port: number;
  /** On loopback, where its supervisor asks it, whatever the public address is. */
  readonly privatePort: number;
  /** For its control socket, whose path must be short. */
  readonly socketDirectory: string;
}

/** An answer is remembered so long: a node that is out of the views is out of the answers this much later at most. */
const CACHE_SECONDS = 2;
/** A name that was asked for before it was added is there this much later at most. */
const NEGATIVE_CACHE_SECONDS = 1;
const ZONES_READ_SECONDS = 30;

const COMMON = {
  // A socket for each receiver.
  reuseport: 'yes',
  daemon: 'no',
  guardian: 'no',
  'disable-syslog': 'yes',
  'log-timestamp': 'no',
  loglevel: '4',
  'write-pid': 'no',
  // Nothing is disclosed about the software or the machine, and PowerDNS's update server is not polled.
  'version-string': 'anonymous',
  'server-id': 'disabled',
  'security-poll-suffix': '',
  'disable-axfr': 'yes',
  // Over UDP, ANY only says "ask by TCP": no amplification.
  'any-to-tcp': 'yes',
  'enable-lua-records': 'no',
  'expand-alias': 'no',
  dnsupdate: 'no',
  api: 'no',
  webserver: 'no',
  'edns-subnet-processing': 'no',
  'udp-truncation-threshold': '1232',
  'max-tcp-connections': '500',
  'receiver-threads': '2',
  'distributor-threads': '3',
  // One question for all types of a name, instead of one for its NS and one for the rest.
  'consistent-backends': 'yes',
  'cache-ttl': String(CACHE_SECONDS),
  'query-cache-ttl': String(CACHE_SECONDS),
  'negquery-cache-ttl': String(NEGATIVE_CACHE_SECONDS),
  'zone-cache-refresh-interval': String(ZONES_READ_SECONDS),
} as const;

/** `pdns.conf` of the process that answers from the database, as the role that reads the views and nothing else. */
export function databaseConfig(place: PdnsPlace, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const extra = [...url.searchParams]
    .filter(([name]) => name !== 'host')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  return render({
    ...COMMON,
    ...listening(place),
    launch: 'gpgsql',
    'gpgsql-host': url.searchParams.get('host') ?? unbracketed(decodeURIComponent(url.hostname)),
    'gpgsql-port': url.port || '5432',
    'gpgsql-dbname': decodeURIComponent(url.pathname.slice(1)),
    'gpgsql-user': decodeURIComponent(url.username),
    'gpgsql-password': decodeURIComponent(url.password),
    'gpgsql-extra-connection-parameters': `connect_timeout=2 application_name=cordon-dns${extra && ` ${extra}`}`,
    'gpgsql-dnssec': 'no',
  });
}

/** `pdns.conf` of the process that answers from the zone files. */
export function copyConfig(place: PdnsPlace, namedConf: string): string {
  return render({
    ...COMMON,
    ...listening(place),
    launch: 'bind',
    'bind-config': namedConf,
    'bind-check-interval': '0',
  });
}

function listening({ bind, port, privatePort, socketDirectory }: PdnsPlace): Record<string, string> {
  // PowerDNS binds `::` for IPv6 alone.
  const addresses = bind === '::' ? ['0.0.0.0', '::'] : [bind];
  return {
    'local-address': [...addresses.map((address) => endpoint(address, port)), endpoint('127.0.0.1', privatePort)].join(
      ',',
    ),
    'socket-dir': socketDirectory,
  };
}

const endpoint = (address: string, port: number): string =>
  isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

function render(settings: Readonly<Record<string, string>>): string {
  const entries = Object.entries(settings);
  const broken = entries.find(([, value]) => /[\r\n]/.test(value));
  if (broken) throw new Error(`${broken[0]} has a line break`);
  return entries.map(([name, value]) => `${name}=${value}\n`).join('');
}
