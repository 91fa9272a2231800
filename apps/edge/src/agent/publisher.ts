import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import type { RunnerChange } from '../runner/payload.ts';
import { type AdminClient, isNotListening } from './admin-client.ts';
import type { EdgeState, KnownRoute } from './edge-state.ts';
import { log } from './log.ts';
import { type OriginParts, tlsCaOf, tlsUses, toRunnerRoute, toRunnerSettings } from './runner-route.ts';

const BATCH_BYTES_MAX = 256 * 1024;
const RETRY_FIRST_MS = 10;
const RETRY_LAST_MS = 1000;

interface Sent {
  readonly change: RunnerChange;
  /** The route as it was then; undefined: removed. */
  readonly known: KnownRoute | undefined;
}

/** Keeps what nginx knows equal to the agent's state. Changes that come while a batch is under way make the next one. */
export class Publisher {
  readonly #state: EdgeState;
  readonly #admin: AdminClient;
  readonly #parts: OriginParts;
  readonly #dirty = new Set<string>();
  readonly #uses = new Map<string, readonly { address: string; name: string }[]>();
  /** Routes by the origin names they resolve, and by the address they speak TLS with. */
  readonly #routesByName = new Map<string, Set<string>>();
  readonly #routesByAddress = new Map<string, Set<string>>();
  readonly #namesOf = new Map<string, readonly string[]>();
  #settingsDirty = false;
  #force = false;
  /** nginx may still serve routes that the state does not list, not even as removed: they are to be compared. */
  #isReconcileDue = false;
  #bootId = '';
  #running: Promise<void> | undefined;
  #isStopped = false;
  /** These routes are in nginx as the state has them. */
  onPublished: (ids: readonly string[]) => void = () => {};
  /** nginx has judged these routes as the state has them, and serves them. */
  onAccepted: (ids: readonly string[]) => void = () => {};
  /** nginx does not take a route as it is, for this reason. */
  onRefused: (id: string, known: KnownRoute, reason: string) => void = () => {};
  /** nginx knows everything, settings included. */
  onComplete: () => void = () => {};
  /** nginx was started anew and knows nothing. */
  onBoot: () => void = () => {};
  /** What nginx has to know before it counts as complete, besides routes. */
  beforeSettings: () => Promise<void> = async () => {};
  /** Why nginx does not have routes as they are: they do not fit into its memory, or cannot be served. */
  readonly failed = new Map<string, string>();

  constructor(state: EdgeState, admin: AdminClient, parts: OriginParts) {
    this.#state = state;
    this.#admin = admin;
    this.#parts = parts;
    parts.resolver.onChange = (name) => this.publish(this.#routesByName.get(name) ?? []);
  }

  get isIdle(): boolean {
    return this.#dirty.size === 0 && !this.#settingsDirty && !this.#isReconcileDue && this.#running === undefined;
  }

  /** Whether nginx has had everything at least once since it started. */
  isComplete = false;

  publish(ids: Iterable<string>): void {
    for (const id of ids) this.#dirty.add(id);
    this.#run();
  }

  publishSettings(): void {
    this.#settingsDirty = true;
    this.#run();
  }

  /** Everything again: nginx was started anew, or (with `force`) the state comes from a snapshot of the control plane. */
  publishAll(force: boolean): void {
    this.isComplete = false;
    this.#force ||= force;
    this.#isReconcileDue ||= force;
    this.#settingsDirty = this.#state.settings !== undefined;
    this.publish(this.#state.routes.keys());
  }

  stop(): void {
    this.#isStopped = true;
  }

  #run(): void {
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
      if (!this.isIdle && !this.#isStopped) this.#run();
    });
  }

  async #drain(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (!this.#isStopped && (this.#dirty.size > 0 || this.#settingsDirty || this.#isReconcileDue)) {
      const ids = this.#dirty.size > 0 ? this.#nextIds() : [];
      try {
        if (this.#isReconcileDue) await this.#addUnknown();
        if (ids.length > 0) await this.#push(ids);
        // Settings come last: with them, nginx knows that its routes are complete.
        if (this.#dirty.size === 0 && this.#settingsDirty && this.#state.settings) {
          await this.beforeSettings();
          this.#settingsDirty = false;
          this.#noteBoot(
            (
              await this.#admin.putSettings(
                toRunnerSettings(
                  this.#state.settings,
                  this.#parts.testKey,
                  this.#parts.shields?.toRunner(this.#state.settings),
                ),
              )
            ).boot_id,
          );
        }
        waitMs = RETRY_FIRST_MS;
      } catch (error) {
        for (const id of ids) this.#dirty.add(id);
        this.#settingsDirty ||= this.#state.settings !== undefined;
        if (waitMs >= RETRY_LAST_MS && !isNotListening(error))
          log.warn('nginx does not take the configuration', { error });
        await delay(waitMs);
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
      }
    }
    if (this.#isStopped) return;
    this.#force = false;
    if (this.#state.settings === undefined) return;
    this.isComplete = true;
    this.onComplete();
  }

  /** What an nginx that was taken over still serves, although the agent has lost its memory of it. */
  async #addUnknown(): Promise<void> {
    const ids = await this.#admin.getRouteIds();
    this.#isReconcileDue = false;
    for (const id of ids) if (!this.#state.routes.has(id)) this.#dirty.add(id);
  }

  #nextIds(): string[] {
    const ids: string[] = [];
    for (const id of this.#dirty) {
      if (ids.length >= 500) break;
      ids.push(id);
    }
    for (const id of ids) this.#dirty.delete(id);
    return ids;
  }

  async #push(ids: readonly string[]): Promise<void> {
    const routes = ids.map((id) => this.#state.routes.get(id)?.route);
    await this.#parts.tlsCas.prepare(routes.flatMap((route) => (route && tlsCaOf(route)) ?? []));
    let batch: Sent[] = [];
    let bytes = 0;
    for (const id of ids) {
      const sent = this.#prepare(id);
      if (!sent) continue;
      batch.push(sent);
      bytes += sent.change.route?.length ?? 100;
      if (bytes >= BATCH_BYTES_MAX) {
        await this.#send(batch);
        batch = [];
        bytes = 0;
      }
    }
    if (batch.length > 0) await this.#send(batch);
  }

  async #send(batch: readonly Sent[]): Promise<void> {
    const { boot_id, failed = [] } = await this.#admin.postChanges(batch.map(({ change }) => change));
    this.#noteBoot(boot_id);
    const reasons = new Map(failed.map(({ route_id, error }) => [route_id, error]));
    const published = batch.filter(({ change }) => !reasons.has(change.route_id));
    const accepted: string[] = [];
    for (const { change, known } of published) {
      this.failed.delete(change.route_id);
      if (known && this.#state.accept(change.route_id, known)) accepted.push(change.route_id);
    }
    if (accepted.length > 0) this.onAccepted(accepted);
    // Of one that has changed meanwhile, nginx is told next.
    const isCurrent = ({ change, known }: Sent) => this.#state.routes.get(change.route_id) === known;
    this.onPublished(published.filter(isCurrent).map(({ change }) => change.route_id));
    for (const { change, known } of batch) {
      const reason = reasons.get(change.route_id);
      if (reason !== undefined) this.#refuse(change.route_id, known, reason);
    }
  }

  #refuse(id: string, known: KnownRoute | undefined, reason: string): void {
    this.failed.set(id, reason);
    log.error('nginx does not take a route', { route_id: id, revision: known?.revision, reason });
    if (known && this.#state.routes.get(id) === known) this.onRefused(id, known, reason);
  }

  /** False for a route whose configuration cannot be read, which must not hold up the others: it is refused. */
  #prepare(id: string): Sent | undefined {
    const known = this.#state.routes.get(id);
    try {
      this.#trackUses(id, known?.route);
      return { change: this.#toChange(id), known };
    } catch (error) {
      this.#refuse(id, known, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #noteBoot(bootId: string): void {
    if (this.#bootId !== '' && this.#bootId !== bootId) {
      log.info('nginx was started anew and gets everything again');
      this.onBoot();
      this.publishAll(false);
    }
    this.#bootId = bootId;
  }

  /** Sees whether nginx was started anew behind our back. */
  noteStatus(bootId: string): void {
    this.#noteBoot(bootId);
  }

  #toChange(id: string): RunnerChange {
    const known = this.#state.routes.get(id);
    const removedAt = this.#state.removed.get(id);
    const force = this.#force || (!known && removedAt === undefined) ? { force: true } : {};
    if (!known) return { route_id: id, revision: removedAt ?? 0, ...force };
    const route = toRunnerRoute(known.route, known.revision, this.#parts, this.#state.settings);
    return {
      route_id: id,
      revision: known.revision,
      names: route.hosts.map(({ name }) => name),
      route: JSON.stringify(route),
      ...force,
    };
  }

  /** Keeps the indices, and has routes pushed again whose TLS connections can no longer (or now) be kept. */
  #trackUses(id: string, route: EdgeRoute | undefined): void {
    const names = (route?.upstream?.targets ?? []).map(({ host }) => host);
    for (const name of this.#namesOf.get(id) ?? []) this.#routesByName.get(name)?.delete(id);
    for (const name of names) add(this.#routesByName, name, id);
    if (route) this.#namesOf.set(id, names);
    else this.#namesOf.delete(id);

    const uses = route ? tlsUses(route, this.#parts) : [];
    const former = this.#uses.get(id) ?? [];
    if (JSON.stringify(uses) === JSON.stringify(former)) return;
    const now = Date.now();
    for (const { address, name } of former) {
      this.#parts.reuse.remove(address, name, now);
      this.#routesByAddress.get(address)?.delete(id);
      this.#publishNeighbours(address);
    }
    for (const { address, name } of uses) {
      this.#parts.reuse.add(address, name);
      this.#publishNeighbours(address);
      add(this.#routesByAddress, address, id);
    }
    if (uses.length > 0) this.#uses.set(id, uses);
    else this.#uses.delete(id);
  }

  /** Among more than two routes on an address the change of one changes nothing for the others. */
  #publishNeighbours(address: string): void {
    const others = this.#routesByAddress.get(address);
    if (others && others.size <= 2) for (const other of others) this.#dirty.add(other);
  }
}

function add(index: Map<string, Set<string>>, key: string, id: string): void {
  const set = index.get(key) ?? new Set();
  set.add(id);
  index.set(key, set);
}
