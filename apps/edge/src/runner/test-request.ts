import { currentGeneration } from './generation.ts';
import { leaveUnlogged } from './logged-rows.ts';
import { hmacSha256Hex, isEqualSecret } from './native.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { discardBody } from './refusal.ts';
import { settingsAt } from './settings.ts';

/**
 * Requests of a test attack: the agent sends them to show what the protection that is live does. They go the way of a visitor's
 * from the address that they name, up to where the origin would be asked. A mark is signed by a key that the agent makes for nginx at each
 * start, for one route, some seconds and the requests of one run. What has a good mark never goes on as a visitor's, also where it
 * cannot be admitted; what has none is an ordinary visitor's.
 */

const MARK_BYTES_MAX = 300;
/** The runs under way and how many requests of each were admitted, one entry for each. The marks of a run end with it. */
const runs = ngx.shared.cordon_tests as SharedDict;

/**
 * `<route id>~<expiry>~<run>~<requests of the run>~<address>~<country>~<1 where no row is wanted>~<signature in hex>`
 */
interface Mark {
  readonly routeId: string;
  readonly expiry: number;
  readonly run: string;
  readonly requests: number;
  readonly address: string;
  readonly country: string;
  readonly isUnlogged: boolean;
}

function readMark(text: string): Mark | undefined {
  const settings = settingsAt(currentGeneration());
  if (text.length > MARK_BYTES_MAX || settings === undefined) return undefined;
  const key = settings.test_key ?? '';
  const parts = text.split('~');
  if (key === '' || parts.length !== 8) return undefined;
  const [routeId, expiry, run, requests, address, country, unlogged, signature] = parts as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const subject = `test ${routeId}~${expiry}~${run}~${requests}~${address}~${country}~${unlogged}`;
  if (!isEqualSecret(signature, hmacSha256Hex(key, subject))) return undefined;
  return {
    routeId,
    expiry: tonumber(expiry) ?? 0,
    run,
    requests: tonumber(requests) ?? 0,
    address,
    country,
    isUnlogged: unlogged === '1',
  };
}

/** Counts a request of a run; false when the run is over, has sent all of its requests, or finds no room. */
function isCounted({ expiry, run, requests }: Mark): boolean {
  const seconds = expiry - ngx.now();
  if (seconds <= 0) return false;
  // An initial value given to `incr` would evict another run, whose marks then held again.
  runs.safe_add(run, 0, seconds + 1);
  const count = runs.incr(run, 1);
  return count !== undefined && count <= requests;
}

/**
 * Takes the visitor that a good mark names for the client, for one request of its run. `refused`: the mark is good, but for another route,
 * late, or one too many. `visitor`: there is none that is good.
 */
export function admitTest(route: PreparedRoute): 'test' | 'refused' | 'visitor' {
  const mark = readMark(ngx.var.http_cordon_test ?? '');
  if (mark === undefined) return 'visitor';
  if (mark.routeId !== route.id || !isCounted(mark)) {
    leaveUnlogged();
    return 'refused';
  }
  ngx.var.cordon_client = mark.address;
  ngx.var.cordon_log = `${route.logText}${TEST_SUFFIX}`;
  if (mark.country !== '') ngx.var.cordon_country = mark.country;
  if (mark.isUnlogged) leaveUnlogged();
  return 'test';
}

const TEST_SUFFIX = ' test';

/** Whether `admitTest` has taken this very request for one. No visitor writes the variable, and it outlives the mark. */
export function isTest(): boolean {
  if (ngx.var.http_cordon_test === undefined) return false;
  return string.sub(ngx.var.cordon_log ?? '', -TEST_SUFFIX.length) === TEST_SUFFIX;
}

/** Tells the agent what has been decided; never empty, since nginx leaves out an empty field. */
export function showVerdict(): void {
  ngx.header['Cordon-Test-Verdict'] = ngx.escape_uri(`${ngx.var.cordon_verdict ?? ''}\t`);
}

function answer(status: number): void {
  discardBody();
  ngx.status = status;
  ngx.header['Cache-Control'] = 'no-store';
  ngx.send_headers();
  ngx.exit(status);
}

/** In place of the origin, which never hears of it. */
export function answerTest(): void {
  answer(204);
}

/** For the agent: nothing has been decided about this request. */
export function refuseTest(): void {
  ngx.header['Cordon-Test-Refused'] = '1';
  ngx.header['Content-Length'] = 0;
  answer(503);
}
