import { askFrom, freePlace, newQuestionPlaces } from './agent-question.ts';
import type { TlsAnswer, TlsQuestion } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { noteVerdict } from './refusal.ts';
import { options } from './runner-options.ts';

/** Why TLS with an address failed, by route, address and name, for a few seconds: one look serves all that fail. */
const health = ngx.shared.cordon_health as SharedDict;
const KNOWN_SECONDS = 10;
/** An origin that is down must not fill the agent. */
const places = newQuestionPlaces(16, 2000);

/** Notes for the log why the origin's certificate was refused, if it was that. For requests that failed with 502. */
export function noteTlsFailure(route: PreparedRoute, isTls: boolean, address: string): void {
  const upstream = route.upstream;
  if (upstream === undefined || !upstream.isTlsVerified || options.agentSocket === '') return;
  if (upstream.protocol !== 'https' && !(isTls && upstream.protocol === 'http_https')) return;
  const name = ngx.var.cordon_origin_host ?? '';
  const key = `t:${route.id} ${address} ${name}`;
  let reason = health.get(key) as string | undefined;
  if (reason === undefined) {
    const place = freePlace(places);
    if (place === undefined) return;
    const question: TlsQuestion = { route_id: route.id, address, name };
    reason = askFrom<TlsAnswer>(places, place, { tls: question })?.result ?? '';
    health.set(key, reason, KNOWN_SECONDS);
  }
  if (reason !== '') noteVerdict('', '', reason, '');
}

/** The same from the words of a socket of our own (OpenSSL's number of the error, or nginx's words about the name). */
export function noteHandshakeFailure(error: string | undefined): void {
  const text = error ?? '';
  if (string.sub(text, 1, 4) === '10: ' || string.sub(text, 1, 3) === '9: ')
    noteVerdict('', '', 'origin_tls_expired', '');
  else if (text.includes('host mismatch')) noteVerdict('', '', 'origin_tls_name', '');
  else if (tonumber(string.sub(text, 1, 2)) !== undefined) noteVerdict('', '', 'origin_tls_untrusted', '');
  else noteVerdict('', '', 'origin_tls_failed', '');
}
