import { currentGeneration } from './generation.ts';
import { leaveOutRow } from './logged-rows.ts';
import { hmacSha256Hex, isEqualSecret } from './native.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { discardBody } from './refusal.ts';
import { settingsAt } from './settings.ts';

/**
 * Requests of a test attack: the agent sends them to show what the protection that is live does. They go the way of a visitor's
 * from the address that they name, up to where the origin would be asked. A mark is signed by a key that the agent makes for nginx at each
 * start, for one route and some seconds, and holds for one request: what anyone else sends is an ordinary visitor's.
 */

const MARK_BYTES_MAX = 300;
/** Longer than any mark is valid. */
const USED_SECONDS = 60;
const used = ngx.shared.cordon_challenges as SharedDict;

/** `<route id>~<expiry>~<nonce>~<address>~<country>~<1 where no row is wanted>~<signature in hex>` */
interface Mark {
  readonly nonce: string;
  readonly address: string;
  readonly country: string;
  readonly isUnlogged: boolean;
}

function readMark(routeId: string): Mark | undefined {
  const text = ngx.var.http_cordon_test;
  const settings = settingsAt(currentGeneration());
  if (text === undefined || text.length > MARK_BYTES_MAX || settings === undefined) return undefined;
  const key = settings.test_key ?? '';
  const parts = text.split('~');
  if (key === '' || parts.length !== 7 || parts[0] !== routeId) return undefined;
  const [, expiry, nonce, address, country, unlogged, signature] = parts as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if ((tonumber(expiry) ?? 0) <= ngx.now()) return undefined;
  const subject = `test ${routeId}~${expiry}~${nonce}~${address}~${country}~${unlogged}`;
  if (!isEqualSecret(signature, hmacSha256Hex(key, subject))) return undefined;
  return { nonce, address, country, isUnlogged: unlogged === '1' };
}

/** Takes the visitor that a valid mark names for the client. The mark is used up by it. */
export function admitTest(route: PreparedRoute): boolean {
  const mark = readMark(route.id);
  if (mark === undefined) return false;
  const [isFirst] = used.safe_add(`test ${mark.nonce}`, ngx.var.cordon_request_id ?? '', USED_SECONDS);
  if (isFirst !== true) return false;
  ngx.var.cordon_client = mark.address;
  ngx.var.cordon_log = `${route.logText} test`;
  if (mark.country !== '') ngx.var.cordon_country = mark.country;
  if (mark.isUnlogged) {
    ngx.var.cordon_logged = '0';
    leaveOutRow();
  }
  return true;
}

/** Whether `admitTest` has taken this very request for one. */
export function isTest(route: PreparedRoute): boolean {
  if (ngx.var.http_cordon_test === undefined) return false;
  const mark = readMark(route.id);
  return mark !== undefined && used.get(`test ${mark.nonce}`) === (ngx.var.cordon_request_id ?? '');
}

/** Tells the agent what has been decided; never empty, since nginx leaves out an empty field. */
export function showVerdict(): void {
  ngx.header['Cordon-Test-Verdict'] = ngx.escape_uri(`${ngx.var.cordon_verdict ?? ''}\t`);
}

/** In place of the origin, which never hears of it. */
export function answerTest(): void {
  discardBody();
  ngx.status = 204;
  ngx.header['Cache-Control'] = 'no-store';
  ngx.send_headers();
  ngx.exit(204);
}
