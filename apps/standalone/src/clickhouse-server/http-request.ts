import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { EngineRequest } from './engine.ts';
import { ClickHouseException } from './exceptions.ts';
import { parseBodyInsert } from './statement.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** URL parameters that speak to ClickHouse's HTTP server itself; every other one is a setting. */
const SERVER_PARAMETERS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'quota_key',
  'role',
  'session_id',
  'session_timeout',
  'session_check',
  'enable_http_compression',
  'compress',
  'decompress',
  'buffer_size',
  'wait_end_of_query',
  'client_protocol_version',
  'stacktrace',
]);

const PARAMETER = /^param_([A-Za-z_][A-Za-z0-9_]*)$/;

/** Throws AUTHENTICATION_FAILED unless the request carries the credentials, in any of ClickHouse's three places. */
export function authenticate(req: IncomingMessage, url: URL, expected: Credentials): void {
  const basic = /^Basic (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
  const [basicUser, ...rest] = basic ? Buffer.from(basic, 'base64').toString('utf8').split(':') : [];
  const user = basicUser ?? header(req, 'x-clickhouse-user') ?? url.searchParams.get('user') ?? 'default';
  const password =
    basic === undefined ? (header(req, 'x-clickhouse-key') ?? url.searchParams.get('password') ?? '') : rest.join(':');
  if (!equal(user, expected.user) || !equal(password, expected.password)) {
    throw new ClickHouseException(
      516,
      `${user.slice(0, 64)}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`,
    );
  }
}

/** Reads the body (at most `bytesMax`, unpacked) and splits the request into what the engine takes. */
export async function readEngineRequest(req: IncomingMessage, url: URL, bytesMax: number): Promise<EngineRequest> {
  const body = await readBody(req, bytesMax);
  const inUrl = url.searchParams.get('query');
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const parameter = PARAMETER.exec(name)?.[1];
    if (parameter !== undefined) parameters.set(parameter, value);
    else if (!SERVER_PARAMETERS.has(name)) settings.set(name, value);
  }
  const common = {
    settings,
    parameters,
    database: url.searchParams.get('database') ?? header(req, 'x-clickhouse-database') ?? 'default',
    defaultFormat: header(req, 'x-clickhouse-format') ?? url.searchParams.get('default_format') ?? 'TabSeparated',
  };
  if (inUrl !== null && (parseBodyInsert(inUrl) || body.length > 0)) return { ...common, statement: inUrl, body };
  const statement = inUrl ?? body.toString('utf8');
  if (statement.trim() === '') throw new ClickHouseException(62, 'Syntax error: empty query. (SYNTAX_ERROR)');
  return { ...common, statement, body: undefined };
}

async function readBody(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const isGzip = req.headers['content-encoding'] === 'gzip';
  const source = isGzip ? req.pipe(createGunzip()) : req;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) throw new ClickHouseException(241, `Request body is over ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function equal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
