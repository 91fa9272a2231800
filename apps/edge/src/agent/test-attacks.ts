import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { EdgeTest, EdgeTestRequest, EdgeTestResult } from '@cordon/contract/edge-config';
import { log } from './log.ts';

/** The marks of a run hold so long; the control plane waits less. */
const RUN_SECONDS = 30;
const REQUEST_MS = 2_000;
/** Requests of one test that are on the way at once. */
const AT_ONCE = 8;
/** Tests that wait for each other, each for some 0.1 s; what comes beyond them is not answered, and its asker hears that the node did not. */
const TESTS_MAX = 40;
const FAILED: EdgeTestResult = {
  status: 0,
  is_judged: false,
  plugin: '',
  action: '',
  reason: '',
  rule: '',
  request_id: '',
  milliseconds: 0,
};

/** What the runner says of the request: plugin, action, reason, rule, tabs between. */
function readVerdict(field: string | string[] | undefined): Partial<EdgeTestResult> {
  if (typeof field !== 'string') return {};
  const [plugin = '', action = '', reason = '', rule = ''] = decodeURIComponent(field).split('\t');
  return { is_judged: true, plugin, action, reason, rule: rule.slice(0, 1000) };
}

/** One run: nginx admits its requests, so many and until then, by one count. */
interface Run {
  readonly test: EdgeTest;
  readonly id: string;
  /** Unix seconds. */
  readonly expiry: number;
  readonly requests: number;
}

const isMissing = ({ status }: EdgeTestResult): boolean => status === 0;
const wouldReachOrigin = ({ is_judged, status }: EdgeTestResult): boolean => is_judged && status === 204;

/** Sends requests of test attacks through this node's nginx, which knows them by marks that only this agent can sign. */
export class TestAttacks {
  /** Given to nginx with the settings; of this run of the agent alone. */
  readonly key = randomBytes(32).toString('base64url');
  readonly #host: string;
  readonly #httpPort: number;
  readonly #send: (body: string) => Promise<void>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Whether nginx knows the key and what it serves. */
  isReady: () => boolean = () => false;

  constructor(bind: string, httpPort: number, send: (body: string) => Promise<void>) {
    this.#host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind;
    this.#httpPort = httpPort;
    this.#send = send;
  }

  /** Runs it and reports. */
  async run(test: EdgeTest): Promise<void> {
    // Without the key, nginx would take the requests for a visitor's and ask the origin.
    if (!this.isReady() || this.#waiting >= TESTS_MAX) return;
    this.#waiting++;
    this.#last = this.#last
      .then(() => this.#report(test))
      .catch((error) => log.warn('a test attack could not be reported', { route_id: test.route_id, error }))
      .finally(() => {
        this.#waiting--;
      });
    await this.#last;
  }

  async #report(test: EdgeTest): Promise<void> {
    const results: EdgeTestResult[] = [];
    // One after the other: what the row of one says is not to depend on how the next was quicker.
    const run: Run = {
      test,
      id: randomBytes(16).toString('hex'),
      expiry: Math.floor(Date.now() / 1000) + RUN_SECONDS,
      requests: test.requests.reduce((sum, { times }) => sum + times, 0),
    };
    for (const attack of test.requests) results.push(await this.#attack(run, attack));
    if (results.some(isMissing)) log.warn('a test attack was not judged whole', { route_id: test.route_id });
    await this.#send(JSON.stringify({ id: test.id, results }));
  }

  async #attack(run: Run, attack: EdgeTestRequest): Promise<EdgeTestResult> {
    let left = attack.times - 1;
    let isWhole = true;
    const sendRest = async () => {
      while (left > 0) {
        left--;
        if (isMissing(await this.#request(run, attack, false))) isWhole = false;
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, sendRest));
    const last = await this.#request(run, attack, true);
    // Of fewer requests than the flood has, none may have been one too many.
    return isWhole || !wouldReachOrigin(last) ? last : FAILED;
  }

  #mark({ test, id, expiry, requests }: Run, { address, country }: EdgeTestRequest, isLogged: boolean): string {
    const text = `${test.route_id}~${expiry}~${id}~${requests}~${address}~${country}~${isLogged ? 0 : 1}`;
    return `${text}~${createHmac('sha256', this.key).update(`test ${text}`).digest('hex')}`;
  }

  async #request(run: Run, attack: EdgeTestRequest, isLogged: boolean): Promise<EdgeTestResult> {
    // nginx would not admit it any more, and other tests wait.
    if (Date.now() / 1000 > run.expiry) return FAILED;
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const fields = attack.headers.map(({ name, value }): [string, string] => [name, value]);
      const call = request(
        {
          host: this.#host,
          port: this.#httpPort,
          agent: this.#agent,
          method: attack.method,
          path: attack.target,
          headers: {
            ...Object.fromEntries(fields),
            host: run.test.host,
            'cordon-test': this.#mark(run, attack, isLogged),
          },
          timeout: REQUEST_MS,
        },
        (response) => {
          response.resume();
          response.on('error', () => resolve(FAILED));
          response.on('end', () => {
            if (response.headers['cordon-test-refused'] !== undefined) return resolve(FAILED);
            resolve({
              ...FAILED,
              status: response.statusCode ?? 0,
              ...readVerdict(response.headers['cordon-test-verdict']),
              request_id: String(response.headers['x-request-id'] ?? '').slice(0, 64),
              milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
            });
          });
        },
      );
      call.on('timeout', () => call.destroy(new Error('a test attack was not answered in time')));
      call.on('error', () => resolve(FAILED));
      // What is over without an answer, as a change of protocol is, has said nothing: `resolve` counts once.
      call.on('close', () => resolve(FAILED));
      call.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
