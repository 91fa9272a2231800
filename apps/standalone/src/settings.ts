import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { parseAddress, specialAddressKind } from '@cordon/contract';
import { StartFailure } from './process/start-failure.ts';

/** What the standalone itself needs of the environment; everything else passes through to the parts untouched. */
export interface Settings {
  readonly dataDirectory: string;
  /** Address to listen on; 127.0.0.1 unless set otherwise. */
  readonly bind: string;
  readonly port: number;
  readonly edgeHttpPort: number;
  readonly edgeHttpsPort: number;
  readonly dnsPort: number;
  /** Parent of the czones' names; checked by the API. */
  readonly edgeDomain: string;
  /** Public address of the console, without a trailing slash. */
  readonly origin: string;
  readonly databaseUrl: string | undefined;
  readonly clickhouseUrl: string | undefined;
  readonly secretKey: string | undefined;
  readonly upstreamAllow: readonly string[];
  /** Parts whose programs the launcher could not install. */
  readonly absentParts: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings, and reports every fault at once in one StartFailure. An empty value counts as not set. */
export function readSettings(environment: Environment, root: string, isDemo = false): Settings {
  const faults: string[] = [];
  const text = (name: string) => environment[name]?.trim() || undefined;
  const fault = (name: string, expected: string) => {
    faults.push(`${name} is ${JSON.stringify(text(name))}: expected ${expected}.`);
  };
  const port = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= 1 && number <= 65535) return number;
    fault(name, 'a port from 1 to 65535');
    return fallback;
  };
  const address = (name: string, protocols: readonly string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const protocol = URL.canParse(value) ? new URL(value).protocol : '';
    if (protocols.includes(protocol)) return value;
    fault(name, `an address that starts with ${protocols.map((each) => `${each}//`).join(' or ')}`);
    return undefined;
  };

  const bind = text('CORDON_BIND') ?? '127.0.0.1';
  if (!isIP(bind)) fault('CORDON_BIND', 'an IP address of this machine, or 0.0.0.0');
  // In the demo every name counts as proved, and its account's password is printed.
  else if (isDemo && !isLoopback(bind))
    fault('CORDON_BIND', 'a loopback address, as the demo is for this machine only');
  const consolePort = port('CORDON_PORT', 8000);
  const origin = address('CORDON_ORIGIN', ['http:', 'https:']) ?? `http://${bracketed(reachable(bind))}:${consolePort}`;
  if (new URL(origin).origin !== origin.replace(/\/$/, '')) fault('CORDON_ORIGIN', 'scheme, host and port only');
  const secretKey = text('CORDON_SECRET_KEY');
  if (secretKey !== undefined && Buffer.from(secretKey, 'base64').length !== 32) {
    // Never the value itself: it is a secret.
    faults.push('CORDON_SECRET_KEY does not hold 32 bytes in base64 (make one: openssl rand -base64 32).');
  }
  const upstreamAllow = (text('CORDON_UPSTREAM_ALLOW') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (!upstreamAllow.every(isAddressAndPort)) {
    fault('CORDON_UPSTREAM_ALLOW', 'exact address:port pairs, separated by commas');
  }
  const dataDirectory = text('CORDON_DATA_DIR') ?? '.cordon';
  const settings: Settings = {
    dataDirectory: isAbsolute(dataDirectory) ? resolve(dataDirectory) : resolve(root, dataDirectory),
    bind,
    port: consolePort,
    edgeHttpPort: port('CORDON_EDGE_HTTP_PORT', 8080),
    edgeHttpsPort: port('CORDON_EDGE_HTTPS_PORT', 8443),
    dnsPort: port('CORDON_DNS_PORT', 5300),
    edgeDomain: text('CORDON_EDGE_DOMAIN') ?? 'edge.cordon.test',
    origin: origin.replace(/\/$/, ''),
    databaseUrl: address('DATABASE_URL', ['postgres:', 'postgresql:']),
    clickhouseUrl: address('CLICKHOUSE_URL', ['http:', 'https:']),
    secretKey,
    upstreamAllow,
    absentParts: (text('CORDON_ABSENT_PARTS') ?? '').split(',').filter(Boolean),
  };
  faults.push(...samePorts(settings));
  if (faults.length > 0) throw new StartFailure(faults.join('\n'));
  return settings;
}

function isLoopback(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && specialAddressKind(address) === 'loopback';
}

/** An address a client on this machine can connect to when a server listens on `bind`. */
export function reachable(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  return bind === '::' ? '::1' : bind;
}

/** An address as it stands in a URL. */
export function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function isAddressAndPort(entry: string): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry);
  return match !== null && isIP(match[1] ?? match[2] ?? '') !== 0 && Number(match[3]) > 0 && Number(match[3]) < 65536;
}

function samePorts(settings: Settings): string[] {
  const names: readonly (readonly [string, number])[] = [
    ['CORDON_PORT', settings.port],
    ['CORDON_EDGE_HTTP_PORT', settings.edgeHttpPort],
    ['CORDON_EDGE_HTTPS_PORT', settings.edgeHttpsPort],
    ['CORDON_DNS_PORT', settings.dnsPort],
  ];
  return names.flatMap(([name, port], at) => {
    const other = names.slice(0, at).find(([, taken]) => taken === port);
    return other ? [`${name} and ${other[0]} are both ${port}: give each its own port.`] : [];
  });
}
