import { answersFor, candidateNames, isHostName } from '@cordon/contract/host-name';
import * as json from 'cjson.safe';
import * as lrucache from 'resty.lrucache';
import type { RunnerRoute } from './payload.ts';
import { type PreparedRoute, prepareRoute } from './prepared-route.ts';

/**
 * Routes by host. The shared dictionary `cordon_routes` holds, for every route, `r:<id>` (JSON), `s:<id>` (a number that
 * differs whenever the JSON does) and, for every name, `h:<name>` (route id). `cordon_meta` holds the generation, which
 * rises with every push. Each worker keeps decoded routes as long as their number stands, and answers by host as long
 * as the generation does.
 */
const routes = ngx.shared.cordon_routes as SharedDict;

export interface RouteMatch {
  readonly route: PreparedRoute;
  /** Whether the name that matched is proved to belong to the route. */
  readonly isVerified: boolean;
}

interface CachedRoute {
  readonly serial: number;
  readonly route: PreparedRoute;
}

interface CachedHost {
  generation: number;
  readonly match: RouteMatch;
}

const HOSTS_PER_WORKER = 20000;
const MISSES_PER_WORKER = 20000;

const preparedRoutes = lrucache.new<CachedRoute>(HOSTS_PER_WORKER);
const hosts = lrucache.new<CachedHost>(HOSTS_PER_WORKER);
/** A cache of its own: a flood of invented names must not push out the routes of real ones. */
const misses = lrucache.new<number>(MISSES_PER_WORKER);

/** Undefined: this node does not serve it. */
export function loadRoute(id: string): PreparedRoute | undefined {
  const serial = routes.get(`s:${id}`) as number | undefined;
  if (serial === undefined) return undefined;
  const cached = preparedRoutes.get(id);
  if (cached !== undefined && cached.serial === serial) return cached.route;
  const text = routes.get(`r:${id}`) as string | undefined;
  if (text === undefined) return undefined;
  const decoded = json.decode<RunnerRoute>(text);
  if (decoded === undefined) {
    ngx.log(ngx.ERR, 'route ', id, ' is no JSON');
    return undefined;
  }
  const route = prepareRoute(decoded);
  preparedRoutes.set(id, { serial, route });
  return route;
}

function searchHost(host: string): RouteMatch | undefined {
  if (!isHostName(host)) return undefined;
  for (const name of candidateNames(host)) {
    const id = routes.get(`h:${name}`) as string | undefined;
    if (id !== undefined) {
      const route = loadRoute(id);
      // A name without its route can be seen for a moment while a change is written.
      if (route !== undefined && answersFor(name, host, route.wildcardLevels))
        return { route, isVerified: route.verified.get(name) === true };
    }
  }
  return undefined;
}

/** Route of a host as nginx's `$host` gives it; undefined when none is known. */
export function findRoute(host: string, generation: number): RouteMatch | undefined {
  const cached = hosts.get(host);
  if (cached !== undefined && cached.generation === generation) return cached.match;
  if (misses.get(host) === generation) return undefined;
  const match = searchHost(host);
  if (match === undefined) misses.set(host, generation);
  else hosts.set(host, { generation, match });
  return match;
}
