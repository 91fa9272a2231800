import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clickhouseRows } from '../support/clickhouse.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { type CustomerClient, Instance } from '../support/instance.ts';
import { operate } from '../support/operator.ts';
import { until } from '../support/until.ts';
import { type Edits, refusingAll, startEdits } from './edits.ts';
import { type Fault, isWhole, strike } from './faults.ts';
import { descriptorsOf, processesOf, socketsIn } from './leftovers.ts';
import { randomOf } from './random.ts';
import { startPlainOrigin, startVisits, type Visits } from './visitors.ts';

const DOMAINS = 4;
const REQUESTS_PER_SECOND = 15;
const BETWEEN_FAULTS_MS = { least: 3_000, most: 12_000 };
/** Tokens of the operator hold for an hour. */
const TOKEN_MS = 25 * 60_000;
/** Versions of a domain that are kept (apps/api/src/modules/publishing/version-repository.ts): older ones may be gone. */
const VERSIONS_LOOKED_AT = 200;
const DESCRIPTORS_MORE_MAX = 60;

interface Domain {
  readonly id: string;
  readonly host: string;
  readonly visits: Visits;
  readonly edits: Edits;
}

/** One soak, from the start of an instance to the last look at what it left. */
export class Soak {
  readonly #minutes: number;
  readonly #seed: number;
  readonly #random: () => number;
  readonly #faults: Fault[] = [];
  readonly #failures: string[] = [];
  #token = '';
  #tokenAt = 0;
  #clientOf: CustomerClient | undefined;

  constructor({ minutes, seed }: { minutes: number; seed: number }) {
    this.#minutes = minutes;
    this.#seed = seed;
    this.#random = randomOf(seed);
  }

  /** What did not hold; empty when all did. */
  async run(): Promise<string[]> {
    console.log(`soak of ${this.#minutes} minutes, seed ${this.#seed}`);
    const origin = await startPlainOrigin();
    const instance = await Instance.start({ environment: { CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}` } });
    try {
      const customer = await createCustomer(instance, 'soak@example.com', 'vip');
      this.#clientOf = customer.api;
      this.#tokenAt = Date.now();
      const domains = await this.#openDomains(instance, customer, origin.port);
      const before = await this.#descriptors(instance);
      await this.#strikeUntilTheEnd(instance, domains);
      await this.#look(instance, domains, before);
    } catch (error) {
      this.#failures.push(`it did not come to its end: ${(error as Error).stack}`);
      console.log(instance.output.split('\n').slice(-60).join('\n'));
    }
    await this.#close(instance);
    origin.server.closeAllConnections();
    origin.server.close();
    this.#report();
    return this.#failures;
  }

  async #openDomains(instance: Instance, customer: Customer, port: number): Promise<Domain[]> {
    const domains: Domain[] = [];
    for (let at = 0; at < DOMAINS; at += 1) {
      const host = `www-${at}.soak.example`;
      const { id } = await deployDomain(instance, customer, host, port);
      domains.push({
        id,
        host,
        visits: startVisits(instance.ports.edgeHttp, host, REQUESTS_PER_SECOND),
        edits: startEdits(() => this.#client(), id),
      });
    }
    return domains;
  }

  #client(): CustomerClient {
    if (!this.#clientOf) throw new Error('there is no customer yet');
    return this.#clientOf;
  }

  async #renewToken(instance: Instance): Promise<void> {
    if (Date.now() - this.#tokenAt < TOKEN_MS) return;
    const printed = await operate(
      instance,
      'token',
      '--account',
      'soak@example.com',
      '--ttl',
      '60m',
      '--reason',
      'soak',
    );
    this.#token = printed.split(/\s+/).at(-1) ?? '';
    this.#clientOf = instance.client(this.#token);
    this.#tokenAt = Date.now();
  }

  async #strikeUntilTheEnd(instance: Instance, domains: readonly Domain[]): Promise<void> {
    const end = Date.now() + this.#minutes * 60_000;
    while (Date.now() < end) {
      const { least, most } = BETWEEN_FAULTS_MS;
      await wait(least + this.#random() * (most - least));
      const [answered, saved] = [this.#sum(domains, 'answered'), this.#sum(domains, 'saved')];
      const fault = await strike(instance, this.#random);
      this.#faults.push(fault);
      await this.#renewToken(instance);
      await until('visitors are answered again', () => this.#sum(domains, 'answered') > answered + 20, 60_000);
      await until('changes are taken again', () => this.#sum(domains, 'saved') > saved + 2, 60_000);
      console.log(
        `${new Date().toISOString()} ${fault.name}: whole after ${(fault.recoveryMs / 1000).toFixed(1)} s; ` +
          `${this.#sum(domains, 'answered')} answers, ${this.#sum(domains, 'saved')} changes`,
      );
    }
    await Promise.all(domains.flatMap(({ visits, edits }) => [visits.stop(), edits.stop()]));
  }

  #sum(domains: readonly Domain[], what: 'answered' | 'saved'): number {
    return domains.reduce(
      (sum, { visits, edits }) => sum + (what === 'answered' ? visits.answered.size : edits.acknowledged),
      0,
    );
  }

  async #look(instance: Instance, domains: readonly Domain[], before: Record<string, number>): Promise<void> {
    await until('all parts whole in the end', () => isWhole(instance), 60_000);
    for (const domain of domains) {
      await this.#lookAtChanges(instance, domain);
      await this.#lookAtRows(instance, domain);
    }
    const after = await this.#descriptors(instance);
    for (const [part, count] of Object.entries(after))
      if (count > (before[part] ?? count) + DESCRIPTORS_MORE_MAX)
        this.#failures.push(`${part} has ${count} descriptors open; at the beginning it had ${before[part]}`);
    console.log(`descriptors before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
  }

  /** Every acknowledged deploy is a version, the draft is the last acknowledged, and what is live is at the edge. */
  async #lookAtChanges(instance: Instance, { id, host, edits }: Domain): Promise<void> {
    const { result: route } = await this.#client().getRoute({ params: { id } });
    const entryOf = (config: { plugins: readonly { config: Record<string, unknown> }[] }) =>
      String((config.plugins[0]?.config.deny as string[] | undefined)?.[0]);
    const lastDeployed = Math.max(...edits.deployed.keys());
    if ((route.version_live ?? 0) < lastDeployed)
      this.#failures.push(`${host} has version ${route.version_live} live, and ${lastDeployed} was acknowledged`);
    if (!edits.drafted.has(entryOf(route.draft)))
      this.#failures.push(`the draft of ${host} says ${entryOf(route.draft)}, acknowledged was ${[...edits.drafted]}`);
    for (const [version, entry] of [...edits.deployed].slice(-VERSIONS_LOOKED_AT)) {
      const { result } = await this.#client().getVersion({ params: { id, version } });
      if (entryOf(result.config) !== entry)
        this.#failures.push(`version ${version} of ${host} says ${entryOf(result.config)} instead of ${entry}`);
    }
    const { result: last } = await this.#client().updateRoute({
      params: { id },
      ifMatch: route.draft_revision,
      body: { plugins: refusingAll, deploy: true },
    });
    await until(`version ${last.version_live} of ${host} at the edge`, async () => {
      const { result } = await this.#client().getReceipt({ params: { id } });
      return result?.version === last.version_live && result?.state === 'successful';
    });
    await until(
      `visitors of ${host} meet version ${last.version_live}`,
      async () => (await edgeRequest(instance.ports.edgeHttp, host)).status === 403,
    );
  }

  async #lookAtRows(instance: Instance, { id, host, visits }: Domain): Promise<void> {
    const isUnlogged = (at: number) =>
      this.#faults.some(({ unlogged }) => unlogged.some(({ from, to }) => at >= from && at <= to));
    const due = [...visits.answered].filter(([, at]) => !isUnlogged(at)).map(([requestId]) => requestId);
    let ids = new Map<string, number>();
    const missing = () => due.filter((requestId) => !ids.has(requestId));
    await until(
      'rows',
      async () => {
        const rows = await clickhouseRows<{ request_id: string; times: number | string }>(
          instance.running.clickhouseUrl,
          `SELECT request_id, count() AS times FROM requests WHERE route_id = '${id}' AND path <> '/' GROUP BY request_id`,
        );
        ids = new Map(rows.map(({ request_id, times }) => [request_id, Number(times)]));
        return missing().length === 0;
      },
      60_000,
    ).catch(() => {});
    const lost = missing();
    if (lost.length > 0) {
      const when = lost.slice(0, 5).map((requestId) => new Date(visits.answered.get(requestId) ?? 0).toISOString());
      this.#failures.push(
        `${lost.length} of ${due.length} answers of ${host} have no row, first at ${when.join(', ')}`,
      );
    }
    const doubled = [...ids.values()].filter((times) => times > 1).length;
    if (doubled > 0) this.#failures.push(`${doubled} requests of ${host} have more than one row`);
    const unknown = [...ids.keys()].filter((requestId) => !visits.answered.has(requestId)).length;
    const tolerated = visits.answered.size - due.length;
    console.log(
      `${host}: ${visits.answered.size} answers, ${due.length} due, ${tolerated} within a second of a fault of nginx, ` +
        `${visits.broken} broken, ${unknown} rows without a whole answer, refused ${JSON.stringify([...visits.refused])}`,
    );
    // A request whose answer did not come whole may have a row. What asks for / is none of the visitors.
    if (unknown > visits.broken) this.#failures.push(`${unknown} rows of ${host} are of no request`);
    if (visits.refused.size > 0)
      this.#failures.push(`visitors of ${host} were refused: ${JSON.stringify([...visits.refused])}`);
  }

  async #descriptors(instance: Instance): Promise<Record<string, number>> {
    return descriptorsOf({ ...instance.running.pids, nginx: instance.nginxPid });
  }

  async #close(instance: Instance): Promise<void> {
    const { dataDirectory } = instance;
    const nginx = join(dataDirectory, 'edge/nginx.json');
    const runDir = existsSync(nginx) ? (JSON.parse(readFileSync(nginx, 'utf8')) as { runDir: string }).runDir : '';
    await instance.interrupt();
    const left = await until('no process is left', () => processesOf(dataDirectory).length === 0, 20_000).then(
      () => [],
      () => processesOf(dataDirectory),
    );
    for (const { pid, command } of left) this.#failures.push(`process ${pid} is left over: ${command}`);
    if (runDir !== '' && existsSync(runDir)) this.#failures.push(`${runDir} is left over`);
    for (const socket of socketsIn(dataDirectory)) this.#failures.push(`the socket ${socket} is left over`);
    await instance.stop();
  }

  #report(): void {
    const byName = new Map<string, number[]>();
    for (const { name, recoveryMs } of this.#faults) byName.set(name, [...(byName.get(name) ?? []), recoveryMs]);
    console.log(`${this.#faults.length} faults`);
    for (const [name, all] of [...byName].sort())
      console.log(`  ${name}: ${all.length} times, at most ${(Math.max(...all) / 1000).toFixed(1)} s`);
  }
}
