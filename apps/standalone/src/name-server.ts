import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { NameServer, type NameServerSettings } from './name-server/name-server.ts';

/**
 * A name server of the edge domain: PowerDNS, and what keeps it answering. Started by the supervisor, or alone on
 * another machine, with CORDON_DNS_DATABASE_URL, CORDON_DNS_DIR, CORDON_DNS_PORT, CORDON_BIND and CORDON_PDNS.
 */
const PROGRAM = 'pdns_server';
/** EX_CONFIG: the sentences are for the person at the terminal. */
const EXIT_CONFIGURATION = 78;

function findProgram(): string | undefined {
  const folders = ['/usr/sbin', '/usr/local/sbin', ...(process.env.PATH ?? '').split(':').filter(Boolean)];
  return folders.map((folder) => join(folder, PROGRAM)).find((path) => existsSync(path));
}

function readSettings(): NameServerSettings {
  const faults: string[] = [];
  const text = (name: string) => process.env[name]?.trim() ?? '';
  const databaseUrl = text('CORDON_DNS_DATABASE_URL');
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl))
    faults.push('CORDON_DNS_DATABASE_URL must be a URL that begins with postgres://.');
  const directory = text('CORDON_DNS_DIR');
  if (directory === '') faults.push('CORDON_DNS_DIR is not set.');
  const port = Number(text('CORDON_DNS_PORT') || 5300);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    faults.push('CORDON_DNS_PORT must be a port from 1 to 65535.');
  const bind = text('CORDON_BIND') || '127.0.0.1';
  if (isIP(bind) === 0) faults.push('CORDON_BIND must be an address.');
  const program = text('CORDON_PDNS') || findProgram();
  if (program === undefined || !existsSync(program))
    faults.push(
      `${PROGRAM} was not found: install pdns-server, pdns-backend-pgsql and pdns-backend-bind, or set CORDON_PDNS.`,
    );
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exit(EXIT_CONFIGURATION);
  }
  return { databaseUrl, directory, port, bind, program: program as string, output: 'inherit' };
}

const server = new NameServer(readSettings());
let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  void server.stop().finally(() => process.exit(0));
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
// Without its supervisor it would never be stopped.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop();
}, 1000).unref();
// For the supervisor: whether this process hangs cannot be seen in what PowerDNS answers.
setInterval(() => {
  if (process.connected) process.send?.('alive', undefined, undefined, () => {});
}, 1000).unref();
server.run();
