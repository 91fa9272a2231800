import { randomInt } from 'node:crypto';
import {
  type EdgeRoute,
  type EdgeTestRequest,
  type EdgeTestResult,
  edgeTestRequest,
  TEST_ATTACKS_MAX,
  type TestAttackResult,
  type TestAttackRun,
} from '@cordon/contract';
import type { TestAttack, TestFacts } from '@cordon/plugin-kit';
import { testAttacks } from '@cordon/plugins/test-attacks';
import type { Db } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { AccountService } from '../accounts/service.ts';
import type { EdgeTestService, FeedService } from '../edge-nodes/service.ts';
import { pauseOf } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import { COMMON_ATTACK_REQUESTS, TEST_USER_AGENT } from './common-attacks.ts';
import { requireServed } from './require-served.ts';
import { type TraceService, visitedHost } from './trace-service.ts';

export interface TestAttackService {
  /**
   * Attacks the live version of a domain through one of its nodes. Throws NOT_FOUND, DOMAIN_NOT_DEPLOYED,
   * DOMAIN_STATE_FORBIDS for one that is off, GATEWAY_CONNECTION_ERROR where no node answers.
   */
  attack(accountId: string, routeId: string): Promise<TestAttackRun>;
}

export interface TestAttackParts {
  readonly db: Db;
  readonly accounts: Pick<AccountService, 'findSuspension'>;
  readonly feeds: FeedService;
  readonly edgeRouteOf: TraceService['edgeRouteOf'];
  readonly tests: EdgeTestService;
}

/** Of RFC 5737: no visitor has one, so that no ban and no list meant for one is met by chance. */
const DOCUMENTATION_NETWORKS = ['192.0.2', '198.51.100', '203.0.113'] as const;

const DOCUMENTATION_ADDRESS = `${DOCUMENTATION_NETWORKS[0]}.1`;
/** Attacks of one plugin, the first ones: a customer who has a hundred rules sees that they work by some. */
const SHOWN_OF_PLUGIN_MAX = 3;

/** Addresses that differ, so that what one attack is counted for does not stop the next; drawn, so that neither does the last run. */
function drawAddresses(count: number): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(`${DOCUMENTATION_NETWORKS[drawn.size % 3]}.${randomInt(1, 255)}`);
  return [...drawn];
}

interface Attack {
  readonly shown: Pick<TestAttackResult, 'attack' | 'shown_by' | 'params'>;
  readonly request: EdgeTestRequest;
}

type AttackOf<From> = (from: From, address: string) => Attack;

const withAgent = (headers: EdgeTestRequest['headers']): EdgeTestRequest['headers'] =>
  headers.some(({ name }) => name.toLowerCase() === 'user-agent')
    ? headers
    : [...headers, { name: 'User-Agent', value: TEST_USER_AGENT }];

const requestOf = ({ request, times = 1 }: TestAttack, address: string): EdgeTestRequest => ({
  method: request.method ?? 'GET',
  target: request.target,
  headers: withAgent([...(request.headers ?? [])]),
  address: request.address ?? address,
  country: request.country ?? '',
  times,
});

/** A node leaves out the whole of a test that has one that it does not take. */
const isTaken = (attack: TestAttack): boolean =>
  edgeTestRequest.safeParse(requestOf(attack, DOCUMENTATION_ADDRESS)).success;

const ofPlugin: AttackOf<{ plugin: string; attack: TestAttack }> = ({ plugin, attack }, address) => ({
  shown: { attack: attack.message, shown_by: plugin, params: attack.params as TestAttackResult['params'] },
  request: requestOf(attack, address),
});

const ofCommon: AttackOf<(typeof COMMON_ATTACK_REQUESTS)[number]> = ({ name, method, target, headers }, address) => ({
  shown: { attack: name, shown_by: null, params: {} },
  request: { method, target, headers: withAgent(headers), address, country: '', times: 1 },
});

/** What the plugins of a route that are on show of themselves, in the order of the pipeline. */
const pluginAttacks = (route: Pick<EdgeRoute, 'plugins'>, facts: TestFacts) =>
  Object.entries(testAttacks).flatMap(([name, attacksOf]) =>
    route.plugins
      .filter((plugin) => plugin.name === name)
      .flatMap(({ config }) =>
        attacksOf(config as never, facts)
          .filter(isTaken)
          .slice(0, SHOWN_OF_PLUGIN_MAX),
      )
      .map((attack) => ({ plugin: name, attack })),
  );

function verdictOf({ status, is_judged, action }: EdgeTestResult): TestAttackResult['verdict'] {
  if (action === 'block' || action === 'redirect') return action;
  if (action === 'challenge') return 'challenge';
  if (is_judged && status === 204) return 'reached_origin';
  // nginx refuses what it cannot read before anything is asked.
  return !is_judged && status === 400 ? 'block' : 'failed';
}

const orNull = (text: string): string | null => (text === '' ? null : text);

function toResult({ shown, request }: Attack, result: EdgeTestResult): TestAttackResult {
  const { method, target, address, country, times } = request;
  const headers = request.headers.filter(({ value }) => value !== TEST_USER_AGENT);
  const verdict = result.reason === 'wait_required' ? 'wait' : verdictOf(result);
  return {
    ...shown,
    request: { method, target, headers, address, country, times },
    verdict,
    plugin: orNull(result.plugin),
    reason: result.is_judged ? orNull(result.reason) : verdict === 'block' ? 'bad_request' : null,
    rule: orNull(result.rule),
    status: verdict === 'reached_origin' || result.status === 0 ? null : result.status,
    milliseconds: result.milliseconds,
    request_id: result.is_judged ? orNull(result.request_id) : null,
  };
}

export function createTestAttackService(parts: TestAttackParts): TestAttackService {
  const { db, accounts, feeds, edgeRouteOf, tests } = parts;

  return {
    async attack(accountId, routeId) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const { live, version } = await requireServed(route, accounts);
      const edgeRoute = await edgeRouteOf(route, live, true);
      // Any of them: what holds for one address of documentation holds for all.
      const held = await feeds.find(db, [route.id, route.account_id], DOCUMENTATION_ADDRESS);
      const shown = pluginAttacks(edgeRoute, { feeds: Object.keys(held) });
      const addresses = drawAddresses(shown.length + COMMON_ATTACK_REQUESTS.length);
      const nextAddress = () => addresses.pop() as string;
      const attacks = [
        ...COMMON_ATTACK_REQUESTS.map((attack) => ofCommon(attack, nextAddress())),
        ...shown.map((one) => ofPlugin(one, nextAddress())),
      ].slice(0, TEST_ATTACKS_MAX);
      const { node, results } = await tests.run(route.czone, {
        route_id: route.id,
        host: visitedHost(route.domain_name),
        requests: attacks.map(({ request }) => request),
      });
      return {
        node,
        version,
        is_paused: pauseOf(route) !== null,
        results: attacks.map((attack, index) => toResult(attack, results[index] as EdgeTestResult)),
      };
    },
  };
}
