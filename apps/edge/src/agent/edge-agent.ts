import { createHmac } from 'node:crypto';
import { mkdirSync, realpathSync, statfsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EdgeChange, EdgeFeedEntry, EdgeLook, EdgeSettings, EdgeTest } from '@cordon/contract/edge-config';
import { crawlers } from '../crawlers/crawlers.ts';
import type { RunnerOptions } from '../runner/runner-options.ts';
import { AdminClient } from './admin-client.ts';
import { BanReporter } from './ban-reporter.ts';
import { findCaBundle } from './ca-bundle.ts';
import { CACHE_DIR, CACHE_JOURNAL } from './cache-folder.ts';
import { CacheLooks } from './cache-looks.ts';
import { ensureDefaultCertificate } from './certificate.ts';
import { ClearPublisher } from './clear-publisher.ts';
import { ClearReceipts } from './clear-receipts.ts';
import { ControlClient, type ControlListener } from './control-client.ts';
import { serveCrawlerVerifier } from './crawler-verifier.ts';
import { EdgeState } from './edge-state.ts';
import type { AgentEnvironment } from './env.ts';
import { FeedPublisher } from './feed-publisher.ts';
import { readJson, writeFileAtomically } from './files.ts';
import { type HealthSource, serveHealth } from './health-server.ts';
import { log } from './log.ts';
import { LogShipper } from './log-shipper.ts';
import { descriptorsMax, findEdgeFiles, type NginxConfig, objectBytesMax, renderConfig } from './nginx-config.ts';
import { NginxMonitor } from './nginx-monitor.ts';
import { findWorkerUser, NginxProcess, type WorkerUser } from './nginx-process.ts';
import { diagnoseTls } from './origin-tls-reason.ts';
import type { KnownEntry, OwnBan } from './own-bans.ts';
import { OwnVisits } from './own-visits.ts';
import { Prefetches } from './prefetches.ts';
import { identify, isRunning, type ProcessIdentity } from './processes.ts';
import { Publisher } from './publisher.ts';
import { RecaptchaVerifier } from './recaptcha.ts';
import { Receipts } from './receipts.ts';
import { isCursor, isRefused, type ReceivedChange, type ReceivedClears, type ReceivedPrefetch } from './received.ts';
import { OriginResolver } from './resolver.ts';
import { secretFault } from './route-secrets.ts';
import { RowAudit } from './row-audit.ts';
import { tlsCaOf } from './runner-route.ts';
import { ShieldLease } from './shield-lease.ts';
import { Shields } from './shields.ts';
import { StateStore } from './state-store.ts';
import { TestAttacks } from './test-attacks.ts';
import { TlsCaSlots } from './tls-ca.ts';
import { TlsCaRenewal } from './tls-ca-renewal.ts';
import { TlsReuse } from './tls-reuse.ts';
import { UpstreamGuard } from './upstream-guard.ts';

const AGENT_VERSION = '1';
/** The control plane takes a node out of DNS after two and a half of them (node-watch.ts of the API). */
const HEARTBEAT_MS = 2000;
const STATUS_MS = 1000;
const GIVE_BACK_MS = 1000;
const FORGET_MS = 60_000;
const FEEDS_BEFORE_ROUTES_MS = 1000;
const ERROR_LOG_MS = 10_000;
const LAST_LOGS_MS = 5000;
const LAST_LOGS_ALONE_MS = 500;

/** The node's agent: keeps nginx running, hands it what the control plane sends, and ships its logs. */
export class EdgeAgent implements ControlListener, HealthSource {
  readonly #environment: AgentEnvironment;
  readonly #edgeDir: string;
  readonly #workerUser: WorkerUser | undefined;
  readonly #state = new EdgeState();
  readonly #store: StateStore;
  readonly #nginx: NginxProcess;
  readonly #monitor: NginxMonitor;
  readonly #admin: AdminClient;
  readonly #resolver: OriginResolver;
  readonly #control: ControlClient;
  readonly #shipper: LogShipper;
  readonly #audit = new RowAudit();
  readonly #receipts: Receipts;
  readonly #tests: TestAttacks;
  readonly #visits: OwnVisits;
  readonly #prefetches: Prefetches;
  readonly #looks: CacheLooks;
  readonly #feeds: FeedPublisher;
  readonly #clears: ClearPublisher;
  readonly #clearReceipts: ClearReceipts;
  /** Of the last event of clears that came; nginx may not have carried it out yet. */
  #clearsHeard: string | undefined;
  readonly #bans: BanReporter;
  readonly #guard: UpstreamGuard;
  readonly #tlsCaDir: string;
  readonly #tlsCas: TlsCaSlots;
  readonly #shieldsDir: string;
  readonly #shields: Shields;
  readonly #lease: ShieldLease;
  readonly #caBundle: string;
  #publisher: Publisher | undefined;
  #reportedNginx: string | undefined;
  #health: Server | undefined;
  #verifier: NetServer | undefined;
  #timers: NodeJS.Timeout[] = [];

  constructor(environment: AgentEnvironment) {
    this.#environment = environment;
    mkdirSync(environment.CORDON_EDGE_DIR, { recursive: true, mode: 0o700 });
    // Real, because /proc shows processes' open files by their real paths.
    this.#edgeDir = realpathSync(environment.CORDON_EDGE_DIR);
    this.#takeLock();
    const logsDir = join(this.#edgeDir, 'logs');
    this.#workerUser = findWorkerUser();
    this.#store = new StateStore(this.#edgeDir);
    this.#nginx = new NginxProcess(environment.CORDON_NGINX, this.#edgeDir, logsDir, this.#workerUser);
    this.#tlsCaDir = join(this.#nginx.runDir, 'tls-ca');
    this.#tlsCas = new TlsCaSlots(this.#tlsCaDir, this.#workerUser);
    this.#shieldsDir = join(this.#nginx.runDir, 'shields');
    this.#shields = new Shields(this.#shieldsDir, this.#workerUser);
    this.#caBundle = findCaBundle(environment.CORDON_CA_BUNDLE, this.#edgeDir);
    this.#admin = new AdminClient(this.#nginx.adminSocket);
    this.#monitor = new NginxMonitor(this.#nginx, this.#admin);
    this.#guard = new UpstreamGuard(environment.CORDON_UPSTREAM_ALLOW);
    this.#resolver = new OriginResolver(environment.CORDON_RESOLVER, environment.CORDON_EDGE_RESOLVE_SECONDS);
    this.#control = new ControlClient(environment.CORDON_CONTROL_URL, environment.CORDON_NODE_CREDENTIAL);
    this.#receipts = new Receipts(this.#state, environment.CORDON_BIND, environment.CORDON_EDGE_HTTP_PORT, (body) =>
      this.#control.post('receipts/', body),
    );
    this.#receipts.faultOf = (route) => {
      const set = tlsCaOf(route);
      const isRefused = set !== undefined && this.#tlsCas.slotOf(set.pem) === undefined;
      if (isRefused) return 'no room for its CA certificates on this node';
      return secretFault(route, this.#state.settings?.secret_keys);
    };
    this.#receipts.onTold = (told) => this.#store.append({ told }, this.#state);
    this.#tests = new TestAttacks(environment.CORDON_BIND, environment.CORDON_EDGE_HTTP_PORT, (body) =>
      this.#control.post('test-results/', body),
    );
    this.#tests.isReady = () => this.#publisher?.isComplete ?? false;
    this.#visits = new OwnVisits(
      environment.CORDON_BIND,
      environment.CORDON_EDGE_HTTP_PORT,
      environment.CORDON_EDGE_HTTPS_PORT,
      this.#tests.key,
    );
    this.#prefetches = new Prefetches(this.#visits, (body) => this.#control.post('prefetch-results/', body));
    this.#prefetches.isReady = () => this.#publisher?.isComplete ?? false;
    this.#looks = new CacheLooks(this.#admin, this.#visits, (body) => this.#control.post('look-results/', body));
    this.#looks.isReady = () => this.#publisher?.isComplete ?? false;
    this.#feeds = new FeedPublisher(this.#state.feeds, this.#admin, (scope) => this.#state.accountOf(scope));
    this.#clearReceipts = new ClearReceipts(this.#state.clears.owed, (body) =>
      this.#control.post('clear-receipts/', body),
    );
    this.#clearReceipts.onTold = (ids) => this.#store.append({ cleared_told: ids }, this.#state);
    this.#clears = new ClearPublisher(this.#admin, (routeId) => this.#state.accountOf(routeId));
    this.#lease = new ShieldLease({
      clearsWaiting: () => this.#clears.waiting,
      grant: (milliseconds) => this.#admin.grantLease(milliseconds),
    });
    this.#clears.onDone = (cursor, done) => {
      if (cursor !== undefined) this.#state.clears.cursor = cursor;
      this.#clearReceipts.report(done);
      this.#lease.look();
      const cleared = done.map(({ id, milliseconds }) => [id, milliseconds] as [string, number]);
      this.#store.append({ ...(cursor === undefined ? {} : { clears_cursor: cursor }), cleared }, this.#state);
    };
    this.#bans = new BanReporter(this.#admin, this.#control);
    this.#bans.onTaken = (entries) => this.#noteOwnBans(entries);
    this.#shipper = new LogShipper({
      logsDir,
      nodeName: environment.CORDON_NODE_NAME,
      diskBytesMax: environment.CORDON_EDGE_LOG_DISK_MB * 1024 * 1024,
      owner: this.#workerUser,
      reopenLogs: () => this.#nginx.reopenLogs(),
      writers: () => this.#nginx.pids,
      send: (batch, body) =>
        this.#control.post(`logs/?batch=${encodeURIComponent(batch)}`, body, 'application/x-ndjson'),
    });
  }

  /** Two agents on one folder would send logs twice. */
  #takeLock(): void {
    const file = join(this.#edgeDir, 'agent.json');
    const other = readJson<ProcessIdentity>(file);
    if (other && other.pid !== process.pid && isRunning(other))
      throw new Error(`Another agent (process ${other.pid}) uses ${this.#edgeDir}`);
    writeFileAtomically(file, JSON.stringify(identify(process.pid)));
  }

  async start(): Promise<void> {
    const hasState = this.#store.load(this.#state);
    this.#health = await serveHealth(this.#environment.CORDON_AGENT_PORT, this, this.#environment.CORDON_METRICS_TOKEN);
    const recaptcha = new RecaptchaVerifier(() => this.#state.settings?.recaptcha);
    this.#verifier = await serveCrawlerVerifier(
      this.#nginx.agentSocket,
      this.#environment.CORDON_RESOLVER,
      this.#workerUser,
      {
        diagnoseTls: (question) =>
          diagnoseTls(question, this.#state.routes.get(question.route_id)?.route, this.#caBundle),
        verifyRecaptcha: (question) => recaptcha.verify(question),
      },
    );
    this.#resolver.start();
    this.#nginx.beforeStart = () => this.#shipper.closeAll();
    this.#nginx.onEnd = () => this.#receipts.suspend();
    this.#nginx.onStart = () => {
      this.#monitor.noteStart();
      this.#audit.noteStart(this.#shipper.found.rows);
      this.#receipts.suspend();
      this.#tlsCas.reset();
      this.#publisher?.publishAll(false);
    };
    await this.#startNginx();
    const reuse = new TlsReuse(this.#nginx.isFresh, Date.now());
    this.#guardNodes();
    const publisher = new Publisher(this.#state, this.#admin, {
      resolver: this.#resolver,
      guard: this.#guard,
      reuse,
      tlsCas: this.#tlsCas,
      testKey: this.#tests.key,
      shields: this.#shields,
    });
    publisher.onPublished = (ids) => {
      for (const id of ids) this.#receipts.published(id);
    };
    publisher.onAccepted = (judged) => this.#store.append({ judged }, this.#state);
    publisher.onRefused = (id, known, reason) => {
      this.#noteRefusal();
      const served = this.#state.refuse(id, known);
      if (served) {
        this.#store.append({ changes: [served], judged: [id] }, this.#state);
        publisher.publish([id]);
      }
      this.#receipts.refused(id, known.revision, served?.route.version ?? null, reason);
    };
    publisher.onComplete = () => this.#receipts.open();
    publisher.onBoot = () => this.#feeds.publishAll();
    publisher.beforeSettings = () => this.#feeds.settle();
    this.#publisher = publisher;
    const renewal = new TlsCaRenewal({
      slots: this.#tlsCas,
      state: this.#state,
      publisher,
      expectReceipts: (ids) => {
        for (const id of ids) this.#receipts.expect(id);
        this.#store.append({ owed: ids }, this.#state);
      },
      reload: () => this.#nginx.reload(this.#renderNginx()),
      intervalMs: this.#environment.CORDON_EDGE_RELOAD_SECONDS * 1000,
    });
    this.#timers.push(setInterval(() => void renewal.look(), STATUS_MS));
    if (hasState) {
      for (const id of this.#state.owed) this.#receipts.expect(id);
      publisher.publishAll(false);
      publisher.publish(this.#state.owed);
    }
    // Of an agent that kept all accounts' entries, or of a route whose change is not on disk.
    this.#forgetScopes(this.#unservedScopes());
    this.#feeds.publishAll();
    this.#shipper.start();
    this.#bans.report(this.#state.feeds.own.reports());
    this.#bans.start();
    this.#clearReceipts.report([]);
    void this.#look();
    this.#timers.push(setInterval(() => void this.#look(), STATUS_MS));
    this.#timers.push(setInterval(() => void this.#sendHeartbeat(), HEARTBEAT_MS));
    this.#timers.push(setInterval(() => this.#giveBackBans(), GIVE_BACK_MS));
    this.#timers.push(setInterval(() => this.#forget(), FORGET_MS));
    this.#timers.push(setInterval(() => this.#nginx.boundErrorLog(), ERROR_LOG_MS));
    void this.#control.run(this);
    log.info('agent started', {
      routes: this.#state.routes.size,
      health_port: (this.#health.address() as AddressInfo).port,
    });
  }

  async #startNginx(): Promise<void> {
    await this.#nginx.start(this.#renderNginx());
  }

  #renderNginx(): NginxConfig {
    const environment = this.#environment;
    const descriptors = descriptorsMax();
    const options: RunnerOptions = {
      trusted_proxies: environment.CORDON_TRUSTED_PROXIES,
      demo_secret: environment.CORDON_DEMO_SECRET,
      agent_socket: this.#nginx.agentSocket,
      crawlers,
      cdn_loop_id: this.#state.settings?.cdn_loop_id ?? 'cordon',
      is_dual_stack: environment.CORDON_BIND.includes(':'),
      // Each visitor takes one for itself and one for its origin.
      limits: { connections: Math.floor(descriptors / 4), descriptors, ...environment.CORDON_EDGE_LIMITS },
      ports: { http: environment.CORDON_EDGE_HTTP_PORT, https: environment.CORDON_EDGE_HTTPS_PORT },
      cache_dir: CACHE_DIR,
      cache_journal: CACHE_JOURNAL,
      cache_object_bytes: {
        paid: objectBytesMax(environment.CORDON_EDGE_CACHE_MB),
        free: objectBytesMax(environment.CORDON_EDGE_CACHE_FREE_MB),
      },
      // The same at each start: nginx is taken over where nothing of its configuration has changed.
      fetch_key: createHmac('sha256', environment.CORDON_NODE_CREDENTIAL).update('fetch').digest('hex'),
    };
    // nginx reads it as root, before its workers become another user.
    writeFileAtomically(join(this.#edgeDir, 'runner.json'), JSON.stringify(options));
    return renderConfig(
      environment,
      findEdgeFiles(),
      ensureDefaultCertificate(this.#edgeDir),
      this.#nginx,
      this.#workerUser?.name,
      options,
      {
        caBundle: this.#caBundle,
        tlsCaDir: this.#tlsCaDir,
        tlsCaNumbers: this.#tlsCas.numbers,
        shieldsDir: this.#shieldsDir,
      },
    );
  }

  position(): { epoch: string; cursor: string; feeds: string; clears: string } | undefined {
    const { epoch, cursor, feeds, clears } = this.#state;
    // An older agent may have left its state here: without a cursor of the feeds, or with one that it never looked at.
    return epoch === '' || !isCursor(cursor) || !isCursor(feeds.cursor)
      ? undefined
      : {
          epoch,
          cursor,
          feeds: feeds.cursor,
          clears: this.#clearsHeard ?? (isCursor(clears.cursor) ? clears.cursor : '0'),
        };
  }

  onSnapshot(epoch: string, cursor: string, received: ReceivedChange[], feeds: EdgeFeedEntry[]): void {
    const routes = received.flatMap((change) => this.#state.readable(change) ?? []);
    const former = new Map(this.#state.routes);
    if (this.#state.clears.epoch !== epoch) this.#clearsHeard = undefined;
    this.#state.clears.follow(epoch);
    const touched = this.#state.replace(epoch, cursor, routes);
    const ended = this.#state.feeds.replace(feeds);
    this.#state.feeds.cursor = cursor;
    this.#feeds.publish([...ended, ...feeds]);
    this.#forgetScopes(this.#unservedScopes());
    // A snapshot does not include lifts: the control plane adds the bans that it lacks, and answers with its lifts.
    this.#bans.report(this.#state.feeds.own.reports());
    // Without a state, all that is stored is cleared anyway.
    if (former.size > 0) this.#clearEntered([...this.#state.routes.keys()].filter((id) => !former.has(id)));
    log.info('snapshot taken', { routes: this.#state.routes.size, epoch, cursor });
    for (const id of touched) {
      const [before, now] = [former.get(id), this.#state.routes.get(id)];
      // A pause, for one, makes a revision and no version; of a version that nginx refused, the one before has the revision.
      const isSame = before?.revision === now?.revision && before?.route.version === now?.route.version;
      if (!isSame) this.#receipts.expect(id);
    }
    // Whatever nginx knows: revisions begin again also under the same epoch, when a backup was restored.
    this.#publisher?.publishAll(true);
    this.#publisher?.publish(touched);
    this.#store.save(this.#state);
    this.#reportRefused(received);
  }

  #noteRefusal(): void {
    if (this.#state.hasRefused) return;
    this.#state.hasRefused = true;
    this.#store.append({ needs_snapshot: true }, this.#state);
  }

  #reportRefused(received: readonly ReceivedChange[]): void {
    for (const { route_id: id, revision, reason } of received.filter(isRefused)) {
      const known = this.#state.routes.get(id);
      this.#noteRefusal();
      log.error('the node does not take a route', { route_id: id, revision, version: known?.route.version, reason });
      if (known && known.revision !== revision) continue;
      this.#receipts.expect(id);
      this.#receipts.refused(id, revision, known?.route.version ?? null, reason);
    }
  }

  onResync(): void {
    this.#state.epoch = '';
    this.#store.append({ needs_snapshot: true }, this.#state);
  }

  onChanges(cursor: string | undefined, received: ReceivedChange[]): void {
    const applied: EdgeChange[] = [];
    const unserved = new Set<string>();
    const leaving: string[] = [];
    const entering: string[] = [];
    for (const each of received) {
      const change = this.#state.readable(each);
      if (!change) continue;
      const { route_id: id, route } = change;
      const former = this.#state.routes.get(id)?.route;
      const scopes = route ? [id, route.account_id].filter((scope) => !this.#state.serves(scope)) : [];
      if (!this.#state.apply(change)) continue;
      applied.push(change);
      for (const scope of scopes) unserved.add(scope);
      if (route !== null && former === undefined) entering.push(id);
      if (route === null) leaving.push(id, former?.account_id ?? id);
    }
    this.#clearEntered(entering);
    for (const { route_id } of applied) this.#receipts.expect(route_id);
    const ids = applied.map(({ route_id }) => route_id);
    if (this.#feeds.publishScopes(unserved)) void this.#publishAfterFeeds(ids);
    else this.#publisher?.publish(ids);
    if (cursor !== undefined) this.#state.cursor = cursor;
    this.#store.append({ ...(cursor === undefined ? {} : { cursor }), changes: applied }, this.#state);
    this.#reportRefused(received);
    this.#forgetScopes(leaving.filter((scope) => !this.#state.serves(scope)));
  }

  /**
   * Forgets the entries of routes and accounts that the node no longer serves: the control plane sends no more changes
   * of them, and all of them again with the route that brings them back.
   */
  #forgetScopes(scopes: readonly string[]): void {
    if (scopes.length === 0) return;
    const entries = [...this.#state.feeds.entriesOfScopes(new Set(scopes))];
    if (entries.length > 0) this.#noteFeeds(entries.map((entry) => ({ ...entry, until: 0 })));
  }

  #unservedScopes(): string[] {
    return [...this.#state.feeds.scopes()].filter((scope) => !this.#state.serves(scope));
  }

  /** Whom a route keeps out is kept out with its first request, but many others' bans do not hold a deploy up. */
  async #publishAfterFeeds(ids: readonly string[]): Promise<void> {
    await Promise.race([this.#feeds.settle(), delay(FEEDS_BEFORE_ROUTES_MS, undefined, { ref: false })]);
    this.#publisher?.publish(ids);
  }

  onFeeds(cursor: string | undefined, entries: EdgeFeedEntry[]): void {
    if (cursor !== undefined) this.#state.feeds.cursor = cursor;
    this.#noteFeeds(entries);
  }

  #noteFeeds(entries: KnownEntry[]): void {
    for (const entry of entries) this.#state.feeds.apply(entry);
    this.#feeds.publish(entries);
    this.#store.append({ feeds_cursor: this.#state.feeds.cursor, feeds: entries }, this.#state);
  }

  /** nginx has them. A ban that ends later holds in their place, as it does with the control plane, which then says nothing. */
  #noteOwnBans(entries: KnownEntry[]): Promise<void> {
    const bans = entries.map((entry) => ({
      ...entry,
      account_id: this.#state.accountOf(entry.scope),
    }));
    const isOfRoute = (ban: KnownEntry): ban is OwnBan => ban.account_id !== undefined;
    const { taken, held } = this.#state.feeds.weigh(bans.filter(isOfRoute));
    // Of a route that has gone meanwhile: nothing would take them out of nginx before they end.
    const left = bans.filter((ban) => !isOfRoute(ban)).map((ban) => ({ ...ban, until: 0 }));
    this.#feeds.publish([...held, ...left]);
    this.#noteFeeds(taken);
    return this.#store.settle();
  }

  onSettings(settings: EdgeSettings): void {
    // They come first on each connection: the control plane counts the node as live without waiting for the next beat.
    void this.#sendHeartbeat();
    if (JSON.stringify(settings) === JSON.stringify(this.#state.settings)) return;
    const hasOtherKeys =
      settings.origin_key !== this.#state.settings?.origin_key ||
      !isDeepStrictEqual(settings.secret_keys, this.#state.settings?.secret_keys);
    this.#state.settings = settings;
    // Before a route is pushed with them: an address may have become a node's, or no longer be one.
    if (this.#guardNodes() || hasOtherKeys) this.#publisher?.publish(this.#state.routes.keys());
    this.#publisher?.publishSettings();
    this.#store.append({ settings }, this.#state);
  }

  onClears({ cursor, clears, isAll }: ReceivedClears): void {
    if (cursor !== undefined) this.#clearsHeard = cursor;
    this.#clears.add({ ...(cursor === undefined ? {} : { cursor }), clears, isAll });
  }

  /** Of routes that the node did not serve it was not told what was cleared: nothing that it may have kept of them counts. */
  #clearEntered(routeIds: readonly string[]): void {
    if (routeIds.length > 0) this.#clears.add({ clears: [], routeIds });
  }

  onAlive(): void {
    this.#lease.noteAlive();
  }

  onTest(test: EdgeTest): void {
    void this.#tests.run(test);
  }

  onPrefetch(prefetch: ReceivedPrefetch): void {
    if ('ended' in prefetch) this.#prefetches.end(prefetch.id);
    else this.#prefetches.take(prefetch);
  }

  onLook(look: EdgeLook): void {
    void this.#looks.answer(look);
  }

  /** Whether upstreams may lead elsewhere than before. Settings that an older control plane left here have no list. */
  #guardNodes(): boolean {
    return this.#guard.setNodes(this.#state.settings?.own_addresses ?? []);
  }

  /** A ban of the node that has ended counts no longer among those of its account. */
  #giveBackBans(): void {
    this.#state.feeds.own.forgetEnded();
    this.#feeds.publish([]);
  }

  #forget(): void {
    // nginx passes over what has expired, but looks for it as long as it knows of the feed.
    this.#feeds.publish(this.#state.feeds.forgetEnded());
    this.#feeds.publishOwnCounts();
    if (this.#monitor.status?.has_room_for_feeds) this.#feeds.publishFailed();
    const names = [...this.#state.routes.values()].flatMap(({ route }) => route.upstream?.targets ?? []);
    this.#resolver.keepOnly(new Set(names.map(({ host }) => host)));
  }

  async #look(): Promise<void> {
    await this.#monitor.look();
    const { status } = this.#monitor;
    if (status) {
      this.#publisher?.noteStatus(status.boot_id);
      this.#audit.note(status, this.#shipper.found, performance.now());
    }
    // DNS goes by it: not only with the next beat.
    if (this.#reportedNginx !== undefined && this.#reportedNginx !== this.#monitor.state) void this.#sendHeartbeat();
  }

  get #rowsDropped(): number {
    return this.#shipper.rowsDropped + this.#audit.lost;
  }

  async #sendHeartbeat(): Promise<void> {
    this.#reportedNginx = this.#monitor.state;
    const body = {
      agent_version: AGENT_VERSION,
      cursor: this.#state.cursor,
      nginx: this.#reportedNginx,
      routes: this.#state.routes.size,
      targets_down: (this.#monitor.status?.targets_down ?? []).slice(0, 1000),
      log_backlog_bytes: this.#shipper.backlogBytes,
      log_rows_dropped: this.#rowsDropped,
      // A control plane that knows no shields takes no such field.
      ...(this.#state.settings?.shields === undefined ? {} : { https_port: this.#environment.CORDON_EDGE_HTTPS_PORT }),
    };
    try {
      await this.#control.post('heartbeat/', JSON.stringify(body));
    } catch {
      // The stream reports a lost control plane already.
    }
  }

  parts(): ReturnType<HealthSource['parts']> {
    const isPublished = this.#publisher?.isComplete ?? false;
    return [
      this.#monitor.part,
      {
        name: 'configuration',
        isReady: isPublished,
        isRequired: true,
        detail: `${this.#monitor.status?.routes ?? 0} of ${this.#state.routes.size} routes`,
      },
      {
        name: 'feeds',
        isReady: this.#monitor.status?.has_room_for_feeds ?? false,
        isRequired: false,
        detail: this.#feedsDetail,
      },
      {
        name: 'control',
        isReady: this.#control.isConnected,
        isRequired: false,
        detail: this.#control.isConnected ? 'connected' : 'away; the node serves what it knows',
      },
    ];
  }

  get #feedsDetail(): string {
    if (this.#monitor.status?.has_room_for_feeds === false)
      return `the memory is full: ${this.#feeds.failed} changes found no room, and what is left is for bans of this node`;
    return `${this.#state.feeds.size} entries`;
  }

  figures(): Record<string, number> {
    const disk = statfsSync(join(this.#edgeDir, 'logs'));
    return {
      routes: this.#state.routes.size,
      routes_failed: this.#publisher?.failed.size ?? 0,
      nginx_starts: this.#nginx.starts,
      nginx_hung: this.#monitor.ended,
      connections_ended: this.#monitor.status?.connections_ended ?? 0,
      control_connected: this.#control.isConnected ? 1 : 0,
      targets_down: this.#monitor.status?.targets_down?.length ?? 0,
      log_backlog_bytes: this.#shipper.backlogBytes,
      log_rows_shipped: this.#shipper.rowsShipped,
      log_rows_dropped: this.#rowsDropped,
      log_lines_invalid: this.#shipper.linesInvalid,
      feed_entries: this.#state.feeds.size,
      feed_entries_failed: this.#feeds.failed,
      feeds_full: this.#monitor.status?.has_room_for_feeds === false ? 1 : 0,
      feeds_memory_free_bytes: this.#monitor.status?.feeds_bytes_free ?? 0,
      clears_widened: this.#monitor.status?.clears_widened ?? 0,
      clears_waiting: this.#clears.waiting,
      prefetches_running: this.#prefetches.running,
      bans_waiting: this.#bans.waiting,
      bans_own: this.#state.feeds.own.size,
      routes_memory_free_bytes: this.#monitor.status?.routes_bytes_free ?? 0,
      cache_disk_bytes: disk.blocks * disk.bsize,
      cache_disk_free_bytes: disk.bavail * disk.bsize,
      cache_changes_forgotten_total: this.#monitor.status?.changes_forgotten ?? 0,
      shield_requests_total: this.#monitor.status?.shield_requests ?? 0,
      shield_failures_total: this.#monitor.status?.shield_failures ?? 0,
      shield_refusals_total: this.#monitor.status?.shield_refusals ?? 0,
    };
  }

  series(): Record<string, Record<string, number>> {
    const { requests, sentBytes, unstored } = this.#shipper.cacheCounts;
    const dictionaries = Object.entries(this.#monitor.status?.dictionaries ?? {});
    return {
      cache_requests_total: requests,
      cache_sent_bytes_total: sentBytes,
      cache_unstored_total: unstored,
      dictionary_bytes: Object.fromEntries(dictionaries.map(([name, { bytes }]) => [name, bytes])),
      dictionary_free_bytes: Object.fromEntries(dictionaries.map(([name, { bytes_free }]) => [name, bytes_free])),
    };
  }

  /** Requests end, the last logs go out if the control plane answers, then all is stopped. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#publisher?.stop();
    this.#feeds.stop();
    this.#clears.stop();
    this.#clearReceipts.stop();
    this.#bans.stop();
    this.#prefetches.stop();
    this.#resolver.stop();
    const lastLogsMs = this.#control.isConnected ? LAST_LOGS_MS : LAST_LOGS_ALONE_MS;
    this.#control.stop();
    await this.#nginx.stop();
    await this.#shipper.stop(lastLogsMs);
    await this.#store.close();
    this.#admin.close();
    this.#receipts.close();
    this.#tests.close();
    this.#visits.close();
    this.#health?.close();
    this.#verifier?.close();
  }
}
