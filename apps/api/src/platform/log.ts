import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Values that never reach a log, wherever they stand in what is logged (security design, "Secrets"). */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'secret',
  'credential',
  'client_secret',
  'refresh_token',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** JSON lines on standard output. `destination` is for tests. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: {
      // Without the query, which may hold codes and tokens.
      req: (req: { method: string; url: string; id: string }) => ({ method: req.method, path: req.url.split('?')[0] }),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
