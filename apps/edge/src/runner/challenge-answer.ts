import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import * as json from 'cjson.safe';
import { CHALLENGE_STATUS } from '@cordon/plugin-kit/challenge';
import { acceptsHtml, pageLanguage } from './accept.ts';
import { makeChallenge, PASS_COOKIE, type ProvingClient, signPass, takeProof } from './challenge.ts';
import { CHALLENGE_PATH, challengeObject, findChallengePage } from './challenge-page.ts';
import { addressOf } from './client-address.ts';
import { currentGeneration } from './generation.ts';
import type { RunnerBrand } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { discardBody, noteVerdict } from './refusal.ts';
import { findBrand, settingsAt } from './settings.ts';

const clientOf = (route: PreparedRoute): ProvingClient => ({
  routeId: route.id,
  address: addressOf(ngx.var.cordon_client ?? ''),
});

const brandOf = (route: PreparedRoute): RunnerBrand | undefined =>
  findBrand(settingsAt(currentGeneration()), route.brand === '' ? undefined : route.brand);

function answer(status: number, contentType: string, body: readonly string[]): void {
  let length = 0;
  for (const part of body) length += part.length;
  ngx.status = status;
  ngx.header['Cache-Control'] = 'no-store';
  ngx.header['X-Content-Type-Options'] = 'nosniff';
  ngx.header['Content-Type'] = contentType;
  ngx.header['Content-Length'] = length;
  if (ngx.req.get_method() !== 'HEAD') ngx.print(body);
  ngx.exit(status);
}

const answerJson = (status: number, value: object): void =>
  answer(status, 'application/json', [json.encode(value)]);

/** Asks the client to prove itself: by a page, or where HTML is not accepted by an object that says so. The request ends here. */
export function sendChallenge(way: ChallengeWay, passSeconds: number, route: PreparedRoute): void {
  discardBody();
  const requestId = ngx.var.cordon_request_id ?? '';
  const language = pageLanguage(ngx.var.http_accept_language);
  const brand = brandOf(route);
  ngx.header.Vary = 'Accept, Accept-Language';
  ngx.header['Cordon-Challenge'] = way;
  const challenge = makeChallenge(clientOf(route), way, passSeconds, requestId, ngx.now());
  if (challenge === undefined || !acceptsHtml(ngx.var.http_accept))
    return answerJson(CHALLENGE_STATUS, challengeObject({ language, brand, requestId, way }));
  // The id of the request is a nonce as good as any: 128 random bits that no other answer has.
  ngx.header['Content-Security-Policy'] =
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${requestId}'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'self'`;
  answer(CHALLENGE_STATUS, 'text/html; charset=utf-8', findChallengePage({ language, brand, way }, requestId, challenge));
}

/** Answers a client that shows a proof: with its pass, or with what to do. The request ends here. */
export function answerProof(route: PreparedRoute): void {
  discardBody();
  const [text, proof] = (ngx.var.http_cordon_proof ?? '').split(' ');
  const client = clientOf(route);
  const now = ngx.now();
  const met =
    text === undefined || proof === undefined || ngx.req.get_method() !== 'POST'
      ? undefined
      : takeProof(client, text, proof, now);
  const pass = met === undefined ? undefined : signPass(client, met.way, met.passSeconds, now);
  if (met === undefined || pass === undefined) {
    noteVerdict('', '', 'challenge_failed', '');
    return answerJson(CHALLENGE_STATUS, { success: false, code: 'CHALLENGE_FAILED' });
  }
  noteVerdict('', '', 'challenge_met', '');
  const secure = ngx.var.scheme === 'https' ? '; Secure' : '';
  ngx.header['Set-Cookie'] =
    `${PASS_COOKIE}=${pass}; Path=/; Max-Age=${met.passSeconds}; HttpOnly; SameSite=Lax${secure}`;
  answerJson(200, { success: true, path: CHALLENGE_PATH });
}
