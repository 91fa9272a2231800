import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DomainModel,
  type ModelGroup,
  type ModelRoute,
  type ModelRule,
  type Outcome,
} from '../../testing/domain-model/model.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, eventually, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';
import { expectConsistentNames } from '../../testing/invariants.ts';
import type { TestResponse } from '../../testing/start-api.ts';
import { createOwnershipProof } from '../names/ownership-proof.ts';

/** Bounded, so that the suite stays quick; a failure prints the shortest sequence that shows it, and its seed. */
const RUNS_MIN = 4;
const RUNS_MAX = 20;
const COMMANDS_MAX = 40;
const TIME_MS = 18_000;
const PLACE_MAX = 7;

const { test, node } = await startEdgeApi();

interface Real {
  readonly customers: readonly Customer[];
  /** Turns the names of the model, which are the same in every run, into this run's own. */
  readonly parent: string;
}

const LABELS = ['a', 'b', 'c', 'd', '*'] as const;
const anyName = fc.constantFrom(...LABELS);
const anyAccount = fc.constantFrom(0, 1);
const anyRoute = fc.nat({ max: 5 });

/** Gives the names of the model their parent of this run, so that runs do not meet. */
const real = (parent: string, name: string) => `${name}.${parent}`;

async function call(customer: Customer, method: string, path: string, body?: unknown, revision?: number) {
  return test.call(method, `domain/routes/${path}`, {
    token: customer.token,
    body,
    headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
  });
}

/** The answer must be what the model says: done, or refused with this status and code. */
function expectOutcome(response: TestResponse, outcome: Outcome): void {
  const { status, text, body } = response;
  expect(status < 300 ? 'done' : status, text).toBe(outcome.ok ? 'done' : outcome.status);
  expect(outcome.ok ? [] : Object.values(body), text).toEqual(expect.arrayContaining(outcome.ok ? [] : [outcome.code]));
}

/** What leaves the edge, also by an eviction, is gone once the node has said so; only then its names are free. */
const waitForDeletions = (customers: readonly Customer[]) =>
  eventually(async () => {
    const { rows } = await test.api.platform.pool.query(
      `SELECT 1 FROM routes WHERE account_id = ANY($1::uuid[]) AND status = 'deleting'`,
      [customers.map(({ accountId }) => accountId)],
    );
    return rows.length === 0;
  });

/** Everything that the model knows is exactly what the database has. */
async function expectSame(model: DomainModel, { customers, parent }: Real): Promise<void> {
  await waitForDeletions(customers);
  await expectConsistentNames(
    test.api.platform.pool,
    customers.map(({ accountId }) => accountId),
  );
  const { rows } = await test.api.platform.pool.query(
    `SELECT r.id, r.status, r.version_live, r.paused_at IS NOT NULL AS paused, r.draft_revision,
       (SELECT g.name FROM groups g WHERE g.id = r.group_id) AS "group",
       r.draft #>> '{plugins,0,config,deny,0}' AS deny, r.live #>> '{plugins,0,config,deny,0}' AS live_deny,
       ARRAY(SELECT u.name FROM rule_applications p JOIN rules u ON u.id = p.rule_id
         WHERE p.route_id = r.id ORDER BY u.name COLLATE "C") AS rules,
       (SELECT json_agg(json_build_array(o.name, o.ownership_state = 'verified') ORDER BY o.kind, o.name COLLATE "C")
        FROM name_ownership o WHERE o.route_id = r.id) AS names
     FROM routes r WHERE r.account_id = ANY($1::uuid[]) AND r.status <> 'deleted' ORDER BY r.id`,
    [customers.map(({ accountId }) => accountId)],
  );
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  const expected = model.routes
    .map((route) => ({
      id: route.id,
      status: route.status,
      version_live: route.versions.length === 0 ? null : route.versions.length,
      paused: route.isPaused,
      draft_revision: route.draftRevision,
      group: route.group,
      deny: route.deny,
      live_deny: route.versions.at(-1)?.deny ?? null,
      rules: route.rules.toSorted(),
      names: [route.main, ...[...route.shadowDomains].sort(byName)].map(({ name, verified }) => [
        real(parent, name),
        verified,
      ]),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(rows).toEqual(expected);
  // The watchers' looks are no commands: they would change states behind the model's back.
  await test.api.platform.pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 day' WHERE key LIKE 'watch-%'`,
  );
}

abstract class Command implements fc.AsyncCommand<DomainModel, Real, boolean> {
  check = (_model: Readonly<DomainModel>): boolean => true;
  protected abstract play(model: DomainModel, at: Real): Promise<void>;
  async run(model: DomainModel, at: Real): Promise<void> {
    await this.play(model, at);
    await expectSame(model, at);
  }
  abstract toString(): string;
}

class Create extends Command {
  constructor(
    readonly account: number,
    readonly name: string,
    readonly deploy: boolean,
  ) {
    super();
  }
  async play(model: DomainModel, { customers, parent }: Real) {
    const customer = customers[this.account] as Customer;
    const outcome = model.create(this.account, this.name, this.deploy);
    const response = await call(customer, 'POST', '', {
      cname: customer.cname,
      domain_name: real(parent, this.name),
      upstreams: upstreamsTo(),
      deploy: this.deploy,
    });
    expectOutcome(response, outcome);
    const route = model.routes.at(-1);
    if (outcome.ok && route) Object.assign(route, { id: response.body.result.id, cname: response.body.result.cname });
  }
  toString = () => `create(${this.account}, ${this.name}, ${this.deploy ? 'deployed' : 'draft'})`;
}

/** A call on one route: by its owner, or by the other account, who finds nothing. */
class OnRoute extends Command {
  constructor(
    readonly title: string,
    readonly index: number,
    readonly isForeign: boolean,
    readonly model: (model: DomainModel, route: ModelRoute) => Outcome,
    readonly api: (customer: Customer, route: ModelRoute, parent: string) => Promise<TestResponse>,
  ) {
    super();
  }
  override check = (model: Readonly<DomainModel>) => model.routes.length > 0;
  async play(model: DomainModel, { customers, parent }: Real) {
    const route = model.routes[this.index % model.routes.length] as ModelRoute;
    if (this.isForeign) {
      const response = await this.api(customers[1 - route.account] as Customer, route, parent);
      expectOutcome(response, { ok: false, status: 404, code: 'NOT_FOUND' });
      return;
    }
    const before = { ...route, shadowDomains: [...route.shadowDomains] };
    const outcome = this.model(model, route);
    const response = await this.api(customers[route.account] as Customer, before, parent);
    expectOutcome(response, outcome);
    if (outcome.ok && response.body.result.draft_revision !== undefined)
      route.draftRevision = response.body.result.draft_revision;
  }
  toString = () => `${this.isForeign ? 'foreign ' : ''}${this.title} @${this.index}`;
}

/** The end of a batch that a call has started. */
async function endOfBatch(customer: Customer, response: TestResponse): Promise<void> {
  if (response.status >= 300) return;
  const ended = await eventually(async () => {
    const { result } = await customer.client.getBatch({ params: { id: response.body.result.id } });
    return result.state !== 'running' && result;
  });
  expect(ended).toMatchObject({ state: 'successful', failed: 0 });
}

/** A call on groups or rules, by one of the accounts. */
class OnAccount extends Command {
  constructor(
    readonly title: string,
    readonly account: number,
    override readonly check: (model: Readonly<DomainModel>) => boolean,
    readonly act: (model: DomainModel, customer: Customer, parent: string) => Promise<[Outcome, TestResponse]>,
  ) {
    super();
  }
  async play(model: DomainModel, { customers, parent }: Real) {
    const [outcome, response] = await this.act(model, customers[this.account] as Customer, parent);
    expectOutcome(response, outcome);
  }
  toString = () => `${this.title} (${this.account})`;
}

const send = (customer: Customer, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  test.call(method, `domain/${path}`, { token: customer.token, body, headers });
const nth = <T>(all: readonly T[], index: number) => all[index % all.length] as T;
/** Mostly one of the account's own: what is another's is refused, and moves nothing. */
function nearly<T extends { readonly account: number }>(all: readonly T[], account: number, index: number): T {
  const own = all.filter((one) => one.account === account);
  return nth(index === PLACE_MAX || own.length === 0 ? all : own, index);
}

const createGroup = (account: number, name: string) =>
  new OnAccount(
    `group+ ${name}`,
    account,
    () => true,
    async (model, customer) => {
      const outcome = model.createGroup(account, name);
      const response = await send(customer, 'POST', 'groups/', { name });
      if (outcome.ok) (model.groups.at(-1) as ModelGroup).id = response.body.result?.id;
      return [outcome, response];
    },
  );
const removeGroup = (account: number, index: number) =>
  new OnAccount(
    `group- @${index}`,
    account,
    () => true,
    async (model, customer) => {
      const group = nearly(model.groups, account, index);
      const outcome = model.removeGroup(account, group);
      return [outcome, await send(customer, 'DELETE', `groups/${group.id}/`)];
    },
  );
const moveToGroup = (account: number, index: number, which: number) =>
  new OnAccount(
    `move @${index} → group @${which}`,
    account,
    (model) => model.routes.some((route) => route.account === account),
    async (model, customer, parent) => {
      const route = nth(
        model.routes.filter((one) => one.account === account),
        index,
      );
      const group = nearly(model.groups, account, which);
      const outcome = model.moveToGroup(route, group);
      const selection = { names: [real(parent, route.main.name)] };
      const response = await send(customer, 'POST', 'routes/bulk/', {
        action: 'move_group',
        selection,
        group_id: group.id,
      });
      await endOfBatch(customer, response);
      return [outcome, response];
    },
  );
const ipRestriction = (deny: string) => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny: [deny], whitelistMode: false, blacklistMode: true },
});
const createRule = (account: number, name: string, deny: string) =>
  new OnAccount(
    `rule+ ${name} ${deny}`,
    account,
    () => true,
    async (model, customer) => {
      const outcome = model.createRule(account, name, deny);
      const plugins = [ipRestriction(deny)];
      const response = await send(customer, 'POST', 'rules/', { cname: customer.cname, name, plugins });
      if (outcome.ok) (model.rules.at(-1) as ModelRule).id = response.body.result?.id;
      return [outcome, response];
    },
  );
const removeRule = (account: number, index: number) =>
  new OnAccount(
    `rule- @${index}`,
    account,
    (model) => model.rules.length > 0,
    async (model, customer) => {
      const rule = nearly(model.rules, account, index);
      const outcome = model.removeRule(account, rule);
      return [outcome, await send(customer, 'DELETE', `rules/${rule.id}/`, { cname: customer.cname })];
    },
  );
/** To any domain, also to one of the other account's. */
const applyRule = (account: number, index: number, which: number, deploy: boolean) =>
  new OnAccount(
    `rule @${which} → @${index}${deploy ? ', deployed' : ''}`,
    account,
    (model) => model.routes.length > 0 && model.rules.some((one) => one.account === account),
    async (model, customer, parent) => {
      const rule = nth(
        model.rules.filter((one) => one.account === account),
        which,
      );
      const route = nearly(model.routes, account, index);
      const outcome = model.applyRule(rule, route, deploy);
      const selection = { names: [real(parent, route.main.name)] };
      const response = await send(
        customer,
        'POST',
        `rules/${rule.id}/apply/`,
        { selection, deploy },
        {
          'if-match': '"1"',
        },
      );
      await endOfBatch(customer, response);
      return [outcome, response];
    },
  );

/** A name is made to point at the exclusive CNAME of a route, and the route's owner looks. */
class Point extends Command {
  constructor(
    readonly index: number,
    readonly which: number,
    readonly choice: Choice,
  ) {
    super();
  }
  override check = (model: Readonly<DomainModel>) => model.routes.length > 0;
  async play(model: DomainModel, { customers, parent }: Real) {
    const target = model.routes[this.index % model.routes.length] as ModelRoute;
    const name = chosen(target, this.choice);
    test.dns.setCname(real(parent, name), target.cname);
    // A wildcard's proof asks for an invented name below it, which this does not answer.
    if (name !== '*') model.pointsTo.set(name, target.cname);
    const route = model.routes[this.which % model.routes.length] as ModelRoute;
    const customer = customers[route.account] as Customer;
    model.look(route, route.main);
    for (const shadow of route.shadowDomains) model.look(route, shadow);
    expect((await call(customer, 'POST', `${route.id}/verify/`)).status).toBe(200);
    if (route.shadowDomains.length === 0) return;
    const names = route.shadowDomains.map(({ name }) => real(parent, name));
    const response = await call(customer, 'POST', `${route.id}/shadow-domains/verify/`, { names });
    expect(response.status, response.text).toBe(200);
  }
  toString = () => `point ${this.choice.name}/${this.choice.nth} → @${this.index}, look @${this.which}`;
}

class ProveByTxt extends Command {
  constructor(
    readonly account: number,
    readonly name: string,
  ) {
    super();
  }
  async play(model: DomainModel, { customers, parent }: Real) {
    const { secrets, resolver } = test.api.platform;
    const proof = createOwnershipProof(secrets.derive('name-proof'), resolver);
    const record = proof.txtRecord((customers[this.account] as Customer).accountId, real(parent, this.name));
    test.dns.setTexts(record.name, [record.value]);
    model.txt.set(this.name, this.account);
  }
  toString = () => `txt(${this.account}, ${this.name})`;
}

const shadowPath = (route: ModelRoute, rest = '') => `${route.id}/shadow-domains/${rest}`;
const onRoute = (title: string, model: OnRoute['model'], api: OnRoute['api']): fc.Arbitrary<Command> =>
  fc
    .tuple(anyRoute, fc.integer({ min: 0, max: 9 }))
    .map(([index, chance]) => new OnRoute(title, index, chance === 0, model, api));

/** A name alone, or one of the shadow domains that the route has, which random names seldom are. */
interface Choice {
  readonly name: string;
  readonly nth: number;
}
const anyChoice: fc.Arbitrary<Choice> = fc.record({ name: anyName, nth: fc.integer({ min: -1, max: 3 }) });
const chosen = ({ shadowDomains }: ModelRoute, { name, nth }: Choice) =>
  nth < 0 || shadowDomains.length === 0 ? name : (shadowDomains[nth % shadowDomains.length]?.name ?? name);

/** Saves the draft as it was read now, or as it was before somebody else's save. */
const anyEdit = fc
  .tuple(fc.constantFrom('8.8.8.8', '9.9.9.9', '1.1.1.1'), fc.boolean(), fc.constantFrom(0, 0, 0, 1))
  .chain(([deny, deploys, behind]) =>
    onRoute(
      `edit ${deny}${deploys ? ', deployed' : ''}${behind > 0 ? ', stale' : ''}`,
      (model, route) => model.edit(route, route.draftRevision - behind, deny, deploys),
      (customer, route) =>
        call(
          customer,
          'PATCH',
          `${route.id}/`,
          { plugins: [ipRestriction(deny)], deploy: deploys },
          route.draftRevision - behind,
        ),
    ),
  );

/** How often each is played beside the others. */
type Weighted = readonly (readonly [times: number, command: fc.Arbitrary<Command>])[];
const lifecycle: Weighted = [
  [4, anyEdit],
  [3, fc.tuple(anyAccount, anyName, fc.boolean()).map(([account, name, deploy]) => new Create(account, name, deploy))],
  [
    2,
    onRoute(
      'deploy',
      (model, route) => model.deploy(route),
      (customer, route) => call(customer, 'POST', `${route.id}/deploy/`, {}, route.draftRevision),
    ),
  ],
  [
    1,
    onRoute(
      'deactivate',
      (model, route) => model.deactivate(route),
      (customer, route) => call(customer, 'POST', `${route.id}/deactivate/`),
    ),
  ],
  [
    1,
    onRoute(
      'resume',
      (model, route) => model.resume(route),
      (customer, route) => call(customer, 'POST', `${route.id}/resume/`),
    ),
  ],
  [
    1,
    onRoute(
      'delete',
      (model, route) => model.remove(route),
      (customer, route) => call(customer, 'DELETE', `${route.id}/`, { cname: customer.cname }),
    ),
  ],
  [
    2,
    fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()).chain(([version, accepts]) =>
      onRoute(
        `rollback ${version}${accepts ? ', gone or not' : ''}`,
        (model, route) => model.rollBack(route, version, accepts),
        (customer, route) =>
          call(
            customer,
            'POST',
            `${route.id}/versions/${version}/rollback/`,
            { deploy: true, accept_gone: accepts },
            route.draftRevision,
          ),
      ),
    ),
  ],
];
const names: Weighted = [
  [
    5,
    fc
      .tuple(anyRoute, fc.constantFrom(0, 0, 0, 1), anyChoice)
      .map(([index, beside, choice]) => new Point(index, index + beside, choice)),
  ],
  [2, fc.tuple(anyAccount, anyName).map(([account, name]) => new ProveByTxt(account, name))],
  [
    6,
    fc.uniqueArray(anyName, { minLength: 1, maxLength: 2 }).chain((names) =>
      onRoute(
        `alias+ ${names}`,
        (model, route) => model.addShadowDomains(route, names),
        (customer, route, parent) =>
          call(customer, 'POST', shadowPath(route), { names: names.map((name) => real(parent, name)) }),
      ),
    ),
  ],
  [
    2,
    anyChoice.chain((choice) =>
      onRoute(
        `alias- ${choice.name}/${choice.nth}`,
        (model, route) => model.removeShadowDomain(route, chosen(route, choice)),
        (customer, route, parent) =>
          call(customer, 'DELETE', shadowPath(route), { names: [real(parent, chosen(route, choice))] }),
      ),
    ),
  ],
  [
    4,
    anyChoice.chain((choice) =>
      onRoute(
        `promote ${choice.name}/${choice.nth}`,
        (model, route) => model.promote(route, chosen(route, choice)),
        (customer, route, parent) =>
          call(customer, 'POST', shadowPath(route, 'promote/'), { name: real(parent, chosen(route, choice)) }),
      ),
    ),
  ],
  [
    1,
    onRoute(
      'pause',
      (model, route) => model.pause(route),
      (customer, route) => call(customer, 'POST', `${route.id}/pause/`, { minutes: 60 }),
    ),
  ],
  [
    1,
    onRoute(
      'unpause',
      (model, route) => model.endPause(route),
      (customer, route) => call(customer, 'DELETE', `${route.id}/pause/`),
    ),
  ],
];
const anyPlace = fc.nat({ max: PLACE_MAX });
const groupsAndRules: Weighted = [
  [2, fc.tuple(anyAccount, fc.constantFrom('Shop', 'shop', 'Blog')).map((given) => createGroup(...given))],
  [3, fc.tuple(anyAccount, anyPlace).map((given) => removeGroup(...given))],
  [4, fc.tuple(anyAccount, anyRoute, anyPlace).map((given) => moveToGroup(...given))],
  [
    2,
    fc
      .tuple(anyAccount, fc.constantFrom('one', 'two'), fc.constantFrom('8.8.8.8', '9.9.9.9'))
      .map((given) => createRule(...given)),
  ],
  [1, fc.tuple(anyAccount, anyPlace).map((given) => removeRule(...given))],
  [5, fc.tuple(anyAccount, anyPlace, anyPlace, fc.boolean()).map((given) => applyRule(...given))],
];
const anyOf = (...weighted: Weighted) =>
  fc.commands<DomainModel, Real, boolean>(
    weighted.flatMap(([times, command]) => Array.from({ length: times }, () => command)) as never,
    { maxCommands: COMMANDS_MAX, size: 'max' },
  ) as unknown as fc.Arbitrary<Iterable<fc.AsyncCommand<DomainModel, Real, boolean>>>;

/** Plays sequences after the given beginning, until the time is over; `RUNS_MIN` of them however busy the machine is. */
async function play(sequences: ReturnType<typeof anyOf>, beginning: () => readonly Command[]): Promise<void> {
  let played = 0;
  const end = performance.now() + TIME_MS;
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      if (played >= RUNS_MIN && performance.now() > end) return;
      const customers = [await createCustomer(test, { plan: 'vip' }), await createCustomer(test)];
      await test.api.platform.pool.query('UPDATE subscriptions SET additional_domain_number = -46 WHERE id = $1', [
        customers[0]?.subscriptionId,
      ]);
      const parent = uniqueName('example.com');
      const model = new DomainModel([
        { quota: 4, hasWildcards: true },
        { quota: 3, hasWildcards: false },
      ]);
      const at = { customers, parent };
      for (const group of model.groups) {
        const { results } = await (customers[group.account] as Customer).client.listGroups();
        group.id = results[0]?.id ?? '';
      }
      for (const command of beginning()) await command.run(model, at);
      await fc.asyncModelRun(() => ({ model, real: at }), sequence);
      played += 1;
      // In the end the node serves exactly what runs.
      const running = model.routes.filter(({ status }) => status === 'running').map(({ id }) => id);
      await eventually(() => running.every((id) => node.routes.has(id)));
    }),
    { numRuns: RUNS_MAX },
  );
  expect(played).toBeGreaterThanOrEqual(RUNS_MIN);
}

describe('the life of domains is what the model says, whatever two accounts do one after the other', () => {
  const timeout = TIME_MS + 120_000;
  it('to names', { timeout }, () =>
    play(anyOf(...lifecycle, ...names), () => [new Create(0, 'a', true), new Create(1, 'b', true)]),
  );

  it('in groups and by rules', { timeout }, () =>
    play(anyOf(...lifecycle, ...groupsAndRules), () => [
      new Create(0, 'a', true),
      new Create(0, 'c', false),
      new Create(1, 'b', true),
      createGroup(0, 'Shop'),
      createRule(0, 'one', '8.8.8.8'),
      createRule(0, 'two', '9.9.9.9'),
      createRule(1, 'one', '9.9.9.9'),
    ]),
  );
});
