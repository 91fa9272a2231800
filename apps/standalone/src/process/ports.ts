import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';
import { StartFailure } from './start-failure.ts';

/** Resolves with the error code that binding gives, or undefined when the port is free. */
export function bindError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'UNKNOWN'));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** Below the range that systems give to outgoing connections: those would take a kept port while we are stopped. */
const FREE_PORTS = { first: 20_000, count: 12_000 };
const FREE_PORT_ATTEMPTS = 100;

/** A port that was free at this moment. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < FREE_PORT_ATTEMPTS; attempt += 1) {
    const port = FREE_PORTS.first + randomInt(FREE_PORTS.count);
    if ((await bindError(host, port)) === undefined) return port;
  }
  throw new StartFailure(`No free port was found on ${host} from ${FREE_PORTS.first} on.`);
}

/** As `bindError`, for UDP. */
export function bindErrorUdp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'UNKNOWN'));
    probe.bind({ address: host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

/** Throws one sentence that names the port and its setting unless the port can be bound. */
export async function requireFreePort(
  host: string,
  port: number,
  setting: string,
  bind: (host: string, port: number) => Promise<string | undefined> = bindError,
): Promise<void> {
  const code = await bind(host, port);
  if (code === undefined) return;
  if (code === 'EADDRINUSE') {
    throw new StartFailure(`Port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another port.`);
  }
  if (code === 'EACCES') {
    throw new StartFailure(`No permission to use port ${port}: set ${setting} to a port above 1023, or start as root.`);
  }
  if (code === 'EADDRNOTAVAIL') {
    throw new StartFailure(`${host} is not an address of this machine: set CORDON_BIND to one that is.`);
  }
  throw new StartFailure(`Port ${port} on ${host} (${setting}) cannot be used: ${code}.`);
}

/**
 * Ports of the inner parts: chosen once, stored in `file`, and chosen again only when another process took one, so
 * that the database addresses noted down in running.json or elsewhere stay true over restarts.
 */
export async function allocatePorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const stored = readPorts(file);
  const ports = {} as Record<Name, number>;
  for (const name of names) {
    const before = stored[name];
    const isUsable =
      before !== undefined &&
      !Object.values(ports).includes(before) &&
      (await bindError('127.0.0.1', before)) === undefined;
    ports[name] = isUsable ? before : await freePort();
  }
  writeFileSync(file, `${JSON.stringify(ports)}\n`, { mode: 0o600 });
  return ports;
}

function readPorts(file: string): Record<string, number | undefined> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = Object.entries(parsed as Record<string, unknown>);
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => Number.isInteger(entry[1]) && Number(entry[1]) > 0),
    );
  } catch {
    return {};
  }
}
