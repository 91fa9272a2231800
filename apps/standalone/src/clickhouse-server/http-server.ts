import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Engine, EngineResult } from './engine.ts';
import { asException, statusOf } from './exceptions.ts';
import { authenticate, type Credentials, readEngineRequest } from './http-request.ts';

const gzipAsync = promisify(gzip);

export interface ClickHouseServerOptions {
  readonly engine: Engine;
  readonly credentials: Credentials;
  /** Largest request body, unpacked. */
  readonly bodyBytesMax: number;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  TabSeparated: 'text/tab-separated-values; charset=UTF-8',
  TSV: 'text/tab-separated-values; charset=UTF-8',
  TabSeparatedWithNames: 'text/tab-separated-values; charset=UTF-8; header=present',
  CSV: 'text/csv; charset=UTF-8; header=absent',
  CSVWithNames: 'text/csv; charset=UTF-8; header=present',
  JSONEachRow: 'application/x-ndjson; charset=UTF-8',
  JSONCompactEachRow: 'application/x-ndjson; charset=UTF-8',
};

/**
 * The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, over an embedded engine. Left out:
 * sessions (`session_id`), progress headers while a query runs, and streamed results: an answer is sent whole.
 */
export function createClickHouseServer(options: ClickHouseServerOptions): Server {
  return createServer((req, res) => {
    void handle(options, req, res).catch((error: unknown) => {
      process.stderr.write(`error: ${String(error)}\n`);
      res.destroy();
    });
  });
}

async function handle(options: ClickHouseServerOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://clickhouse');
  if (url.pathname === '/ping' || url.pathname === '/replicas_status') {
    res.setHeader('Content-Type', 'text/plain; charset=UTF-8').end('Ok.\n');
    return;
  }
  // Not ClickHouse's: its ping says nothing of the engine.
  if (url.pathname === '/live') {
    await options.engine.probe();
    res.end('Ok.\n');
    return;
  }
  res.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? randomUUID());
  res.setHeader('X-ClickHouse-Timezone', 'UTC');
  try {
    authenticate(req, url, options.credentials);
    const request = await readEngineRequest(req, url, options.bodyBytesMax);
    const result = await options.engine.run(request);
    await answer(req, url, res, result);
  } catch (error) {
    const exception = asException(error);
    // The rest of a refused body is still on its way: answer, then close, so that the client is not left sending.
    if (!req.complete) res.setHeader('Connection', 'close');
    res.writeHead(statusOf(exception.code), {
      'Content-Type': 'text/plain; charset=UTF-8',
      'X-ClickHouse-Exception-Code': String(exception.code),
    });
    res.end(`${exception.message}\n`);
  }
}

async function answer(req: IncomingMessage, url: URL, res: ServerResponse, result: EngineResult): Promise<void> {
  const bytes = Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength);
  res.setHeader('X-ClickHouse-Format', result.format);
  res.setHeader('Content-Type', contentType(result.format));
  res.setHeader('X-ClickHouse-Summary', summary(result));
  const wantsGzip =
    url.searchParams.get('enable_http_compression') === '1' && /\bgzip\b/.test(req.headers['accept-encoding'] ?? '');
  if (wantsGzip && bytes.length > 0) {
    res.setHeader('Content-Encoding', 'gzip');
    res.end(await gzipAsync(bytes, { level: 1 }));
  } else {
    res.end(bytes);
  }
}

function contentType(format: string): string {
  const known = CONTENT_TYPES[format];
  if (known) return known;
  return format.startsWith('JSON') ? 'application/json; charset=UTF-8' : 'text/plain; charset=UTF-8';
}

/** ClickHouse sends these counts as strings; written rows include those of materialized views, as there. */
function summary(result: EngineResult): string {
  return JSON.stringify({
    read_rows: String(result.rowsRead),
    read_bytes: String(result.bytesRead),
    written_rows: String(result.rowsWritten),
    written_bytes: String(result.bytesWritten),
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: String(result.bytes.length),
    elapsed_ns: String(Math.round(result.elapsedSeconds * 1e9)),
  });
}
