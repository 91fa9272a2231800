import * as json from 'cjson.safe';
import type { TlsAnswer, TlsQuestion } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { noteVerdict } from './refusal.ts';
import { options } from './runner-options.ts';

/** Why TLS with an address failed, by route, address and name, for a few seconds: one look serves all that fail. */
const health = ngx.shared.cordon_health as SharedDict;
const KNOWN_SECONDS = 10;
const ANSWER_MS = 2000;
/** No more questions at once: an origin that is down must not fill the agent. */
const QUESTIONS_MAX = 16;
let questions = 0;

function askAgent(question: TlsQuestion): string {
  const socket = ngx.socket.tcp();
  socket.settimeouts(200, 200, ANSWER_MS);
  const [connected] = socket.connect(`unix:${options.agentSocket}`);
  if (connected === undefined) return '';
  socket.send(`${json.encode({ tls: question })}\n`);
  const [line] = socket.receive('*l');
  socket.close();
  const answer = line === undefined ? undefined : json.decode<TlsAnswer>(line);
  return answer === undefined ? '' : answer.result;
}

/** Notes for the log why the origin's certificate was refused, if it was that. For requests that failed with 502. */
export function noteTlsFailure(route: PreparedRoute, isTls: boolean, address: string): void {
  const upstream = route.upstream;
  if (upstream === undefined || !upstream.isTlsVerified || options.agentSocket === '') return;
  if (upstream.protocol !== 'https' && !(isTls && upstream.protocol === 'http_https')) return;
  const name = ngx.var.cordon_origin_host ?? '';
  const key = `t:${route.id} ${address} ${name}`;
  let reason = health.get(key) as string | undefined;
  if (reason === undefined) {
    if (questions >= QUESTIONS_MAX) return;
    questions++;
    reason = askAgent({ route_id: route.id, address, name });
    questions--;
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
