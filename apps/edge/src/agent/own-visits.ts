import { createHmac, randomBytes } from 'node:crypto';
import {
  type ClientRequestArgs,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** A mark holds so long: nginx reads it as soon as it has the request. */
const MARK_SECONDS = 15;
/** Of the exchange itself, which is this class's own. */
const OWN_FIELDS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te']);

/** One request of the node's own. */
export interface OwnVisit {
  readonly routeId: string;
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** Path with query, as a request line has it. */
  readonly target: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The origin is asked even for what is fresh. */
  readonly isRefresh: boolean;
}

export interface OwnVisitResult {
  /** 0: not answered to its end in time, or not admitted by nginx. */
  readonly status: number;
  /** Empty where not even the head of an answer came. */
  readonly headers: IncomingHttpHeaders;
  /** Of the body, as it was sent. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Asks this node's own nginx as a visitor would, past all plugins, without a row of the log, and stored like any other answer: nginx knows
 * the requests by marks that only this agent can sign (own-visit.ts of the runner). Ready once nginx has the key with its settings; before
 * that, it lets the request wait. How many are open is up to who asks: behind a bound here, one domain's would wait for another's.
 */
export class OwnVisits {
  readonly #host: string;
  readonly #ports: { readonly http: number; readonly https: number };
  readonly #key: string;
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true }),
    // It is this very node, whose certificate need not be the name's.
    https: new HttpsAgent({ keepAlive: true, rejectUnauthorized: false }),
  };

  /** @param key By which nginx knows the agent: `TestAttacks.key`. */
  constructor(bind: string, httpPort: number, httpsPort: number, key: string) {
    this.#host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind;
    this.#ports = { http: httpPort, https: httpsPort };
    this.#key = key;
  }

  /** GETs it and reads the answer to its end; never throws. */
  async visit(visit: OwnVisit, timeoutMs: number): Promise<OwnVisitResult> {
    const startedAt = performance.now();
    const answer = { status: 0, headers: {} as IncomingHttpHeaders, bytes: 0 };
    await this.#exchange(visit, timeoutMs, answer);
    return { ...answer, milliseconds: Math.round((performance.now() - startedAt) * 10) / 10 };
  }

  #exchange(
    visit: OwnVisit,
    timeoutMs: number,
    answer: { status: number; headers: IncomingHttpHeaders; bytes: number },
  ): Promise<void> {
    return new Promise((resolve) => {
      const options = this.#optionsOf(visit);
      const call = visit.scheme === 'https' ? requestHttps(options) : requestHttp(options);
      const timer = setTimeout(() => call.destroy(), timeoutMs);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      call.on('response', (response) => {
        answer.headers = response.headers;
        response.on('data', (part: Buffer) => {
          answer.bytes += part.length;
        });
        response.on('error', finish);
        response.on('end', () => {
          if (response.complete && response.headers['cordon-test-refused'] === undefined)
            answer.status = response.statusCode ?? 0;
          finish();
        });
      });
      call.on('error', finish);
      call.on('close', finish);
      call.end();
    });
  }

  #optionsOf({ routeId, host, scheme, target, headers, isRefresh }: OwnVisit): ClientRequestArgs {
    const fields: Record<string, string[]> = {};
    for (const { name, value } of headers) {
      const lower = name.toLowerCase();
      if (OWN_FIELDS.has(lower) || lower.startsWith('cordon-')) continue;
      fields[lower] ??= [];
      fields[lower].push(value);
    }
    return {
      host: this.#host,
      port: this.#ports[scheme],
      agent: this.#agents[scheme],
      method: 'GET',
      path: target,
      ...(scheme === 'https' ? { servername: host } : {}),
      headers: { ...fields, host, 'cordon-visit': this.#mark(routeId, isRefresh) },
    };
  }

  #mark(routeId: string, isRefresh: boolean): string {
    const expiry = Math.floor(Date.now() / 1000) + MARK_SECONDS;
    const text = `${routeId}~${expiry}~${randomBytes(12).toString('hex')}~${isRefresh ? 1 : 0}`;
    return `${text}~${createHmac('sha256', this.#key).update(`visit ${text}`).digest('hex')}`;
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}
