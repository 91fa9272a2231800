import { BrandsFileError } from './modules/brands/service.ts';
import { EnvironmentError } from './settings/env.ts';

/** EX_CONFIG of sysexits.h. The supervisor then shows what was printed on the terminal as it stands. */
export const EXIT_CONFIGURATION = 78;

/** SQLSTATE classes of a database that cannot be used as it is: authorisation, no such database, resources, shut down. */
const DATABASE_STATES = /^(?:28|3D|53|57)/;
const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'read']);

/** Why the API cannot start, in a sentence that the operator can act on; undefined for a bug. */
export function startProblem(error: unknown): string | undefined {
  if (error instanceof EnvironmentError || error instanceof BrandsFileError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') return `CORDON_BIND, CORDON_PORT: ${error.message}.`;
  // Nothing but the database is asked before the API listens.
  const isDatabase = NETWORK_CALLS.has(syscall) || (/^[0-9A-Z]{5}$/.test(code) && DATABASE_STATES.test(code));
  return isDatabase ? `The database of DATABASE_URL cannot be used: ${error.message}.` : undefined;
}
