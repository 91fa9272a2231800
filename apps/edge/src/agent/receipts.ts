import { Agent, request } from 'node:http';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { boundedText } from './bounded-text.ts';
import { ControlError } from './control-client.ts';
import type { EdgeState } from './edge-state.ts';
import { log } from './log.ts';

interface Probe {
  readonly ok: boolean;
  readonly status: number;
  readonly version: number | null;
  readonly error?: string;
}

interface Receipt {
  readonly route_id: string;
  readonly revision: number;
  readonly version: number | null;
  readonly applied_ms: number;
  readonly probe: Probe | null;
  /** Why nginx does not take the revision; it serves `version` on. */
  readonly refusal?: string;
}

const PROBE_MS = 3000;
/** nginx's answer has less than a hundred; a page of whoever answers in its place may have more. */
const PROBE_BYTES_MAX = 65_536;
const PROBES_AT_ONCE = 8;
/** nginx's death is noticed and it is started anew. */
const RESTART_NOTICED_MS = 500;
const RECEIPTS_MAX = 1000;
/** The most that the control plane takes. */
const REFUSAL_MAX = 200;

const msSince = (moment: number): number => Math.round((performance.now() - moment) * 1000) / 1000;

/** Proves to the control plane what visitors of this node meet: one real request for each version that arrived. */
export class Receipts {
  readonly #state: EdgeState;
  readonly #httpPort: number;
  readonly #host: string;
  readonly #send: (body: string) => Promise<void>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: PROBES_AT_ONCE });
  /** When a change arrived whose publication is awaited, by route. */
  readonly #expected = new Map<string, number>();
  readonly #probing = new Map<string, number>();
  /** Routes whose probe is on the way. */
  readonly #underWay = new Set<string>();
  readonly #ready = new Map<string, Receipt>();
  /** What keeps visitors of a route from its origins on this node, which a probe does not meet. */
  faultOf: (route: EdgeRoute) => string | undefined = () => undefined;
  /** The control plane has the receipts of these routes: the state no longer owes them. */
  onTold: (ids: readonly string[]) => void = () => {};
  #isSending = false;
  #isOpen = false;
  #suspensions = 0;

  constructor(state: EdgeState, bind: string, httpPort: number, send: (body: string) => Promise<void>) {
    this.#state = state;
    this.#httpPort = httpPort;
    this.#host = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind;
    this.#send = send;
  }

  /** A change of the route has arrived and wants a receipt, which the state owes until the control plane has it. */
  expect(routeId: string): void {
    this.#state.owed.add(routeId);
    if (!this.#expected.has(routeId)) this.#expected.set(routeId, performance.now());
  }

  /** The route is in nginx. */
  published(routeId: string): void {
    const arrivedAt = this.#expected.get(routeId);
    if (arrivedAt === undefined) return;
    this.#expected.delete(routeId);
    this.#probing.set(routeId, msSince(arrivedAt));
    this.#work();
  }

  /** nginx does not take a revision of the route, and serves the version on, if any. */
  refused(routeId: string, revision: number, version: number | null, reason: string): void {
    const arrivedAt = this.#expected.get(routeId);
    if (arrivedAt === undefined) return;
    this.#expected.delete(routeId);
    const refusal = reason.slice(0, REFUSAL_MAX);
    this.#ready.set(routeId, {
      route_id: routeId,
      revision,
      version,
      applied_ms: msSince(arrivedAt),
      probe: null,
      refusal,
    });
    void this.#flush();
  }

  /** nginx knows everything, also the key that probes show: what has waited for that is proved now. */
  open(): void {
    this.#isOpen = true;
    this.#work();
  }

  /** nginx is started anew and knows nothing: what is to be proved waits for `open`. */
  suspend(): void {
    this.#isOpen = false;
    this.#suspensions++;
  }

  #work(): void {
    if (!this.#isOpen) return;
    for (const [routeId, appliedMs] of this.#probing) {
      if (this.#underWay.size >= PROBES_AT_ONCE) return;
      // Its receipt would otherwise come before an older one.
      if (this.#underWay.has(routeId)) continue;
      this.#probing.delete(routeId);
      this.#underWay.add(routeId);
      const before = this.#ready.get(routeId);
      void this.#prove(routeId, appliedMs).then((receipt) => {
        this.#underWay.delete(routeId);
        if (receipt) {
          const later = this.#ready.get(routeId);
          // A refusal of a newer revision may have come meanwhile.
          if (later === undefined || later === before) this.#ready.set(routeId, receipt);
          void this.#flush();
        } else if (!this.#probing.has(routeId)) {
          this.#probing.set(routeId, appliedMs);
        }
        this.#work();
      });
    }
  }

  /** Undefined: nginx was started anew meanwhile, and it is to be probed again. */
  async #prove(routeId: string, appliedMs: number): Promise<Receipt | undefined> {
    const known = this.#state.routes.get(routeId);
    const suspensions = this.#suspensions;
    // A domain that is off has no version for visitors, as one that is gone.
    const served = known?.route.off === undefined ? known?.route : undefined;
    const fault = served && this.faultOf(served);
    const probe = fault
      ? { ok: false, status: 502, version: null, error: fault }
      : served
        ? await this.#probe(served)
        : null;
    // A restart of nginx is a short wait, not a failure: probed again once nginx knows everything. Its death is noticed a
    // little after it.
    if (probe && !probe.ok) {
      if (this.#isOpen) await new Promise((resolve) => setTimeout(resolve, RESTART_NOTICED_MS).unref());
      if (this.#suspensions !== suspensions) return undefined;
    }
    const receipt: Receipt = {
      route_id: routeId,
      revision: known?.revision ?? this.#state.removed.get(routeId) ?? 0,
      version: served?.version ?? null,
      applied_ms: appliedMs,
      probe,
    };
    if (receipt.probe && !receipt.probe.ok) log.warn('a probe failed', { ...receipt });
    return receipt;
  }

  #probe({ id, hosts, version }: EdgeRoute): Promise<Probe> {
    const host = (hosts[0]?.name ?? '').replace(/^\*/, 'cordon-probe');
    return new Promise((resolve) => {
      const fail = (status: number, error: string) =>
        resolve({ ok: false, status, version: null, error: error.slice(0, 200) });
      const call = request(
        {
          host: this.#host,
          port: this.#httpPort,
          agent: this.#agent,
          path: '/.well-known/cordon/probe',
          headers: { host, 'cordon-probe': this.#state.settings?.probe_key ?? '' },
          timeout: PROBE_MS,
        },
        (response) => {
          const status = response.statusCode ?? 0;
          const judge = (text: string) => {
            if (status !== 200) return fail(status, 'the probe was not answered');
            try {
              const answer = JSON.parse(text) as Partial<Record<'route_id' | 'version', unknown>> | null;
              if (answer?.route_id !== id || typeof answer.version !== 'number')
                return fail(status, 'the probe was answered by another server');
              resolve({ ok: answer.version === version, status, version: answer.version });
            } catch {
              fail(status, 'the probe was answered by another server');
            }
          };
          boundedText(response, PROBE_BYTES_MAX).then(judge, (error: Error) => fail(0, error.message));
        },
      );
      call.on('timeout', () => call.destroy(new Error('the probe was not answered in time')));
      call.on('error', (error) => fail(0, error.message));
      call.end();
    });
  }

  /** One that the control plane refuses is left out alone: none of the others is lost with it. */
  async #post(receipts: readonly Receipt[]): Promise<void> {
    try {
      await this.#send(JSON.stringify({ receipts }));
    } catch (error) {
      if (!(error instanceof ControlError) || ![400, 413, 422].includes(error.status)) throw error;
      if (receipts.length === 1) {
        log.error('the control plane does not take a receipt', { receipt: receipts[0], error });
        return;
      }
      const half = Math.ceil(receipts.length / 2);
      await this.#post(receipts.slice(0, half));
      await this.#post(receipts.slice(half));
    }
  }

  /** Sends what is ready; what comes meanwhile goes with the next call. */
  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    let waitMs = 100;
    while (this.#ready.size > 0) {
      const receipts = [...this.#ready.values()].slice(0, RECEIPTS_MAX);
      try {
        await this.#post(receipts);
        for (const receipt of receipts)
          if (this.#ready.get(receipt.route_id) === receipt) this.#ready.delete(receipt.route_id);
        this.#noteTold(receipts.map(({ route_id }) => route_id));
        waitMs = 100;
      } catch (error) {
        log.warn('receipts are not with the control plane yet', { waiting: this.#ready.size, error });
        await new Promise((resolve) => setTimeout(resolve, waitMs).unref());
        waitMs = Math.min(waitMs * 2, 5000);
      }
    }
    this.#isSending = false;
  }

  #noteTold(ids: readonly string[]): void {
    // Of the others, a newer receipt is on its way.
    const newer = [this.#expected, this.#probing, this.#underWay, this.#ready];
    const told = ids.filter((id) => !newer.some((those) => those.has(id)));
    for (const id of told) this.#state.owed.delete(id);
    if (told.length > 0) this.onTold(told);
  }

  close(): void {
    this.#agent.destroy();
  }
}
