import { CHALLENGE_STATUS } from '@cordon/plugin-kit/challenge';
import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import * as json from 'cjson.safe';
import { acceptsHtml, pageLanguage } from './accept.ts';
import { type Challenge, cookieOfWay, makeChallenge, type ProvingClient, signPass, takeProof } from './challenge.ts';
import { challengeObject, findChallengePage, type ProofWay } from './challenge-page.ts';
import { addressOf } from './client-address.ts';
import { currentGeneration } from './generation.ts';
import { setHsts } from './hsts.ts';
import type { RunnerBrand, RunnerRecaptcha } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { giveUpPuzzle, makePuzzle, type Puzzle, takeAnswer } from './puzzle.ts';
import { TOKEN_BYTES_MAX, takeToken } from './recaptcha.ts';
import { discardBody, noteVerdict } from './refusal.ts';
import { findBrand, settingsAt } from './settings.ts';
import { isWait, makeWait, takeWait, type WaitTerms } from './wait.ts';
import { findWaitPage, waitObject } from './wait-page.ts';

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

const answerJson = (status: number, value: object): void => answer(status, 'application/json', [json.encode(value)]);

/** Asks the client to prove itself: by a page, or where HTML is not accepted by an object that says so. The request ends here. */
export function sendChallenge(asked: ProofWay, passSeconds: number, route: PreparedRoute): void {
  discardBody();
  setHsts(route);
  const requestId = ngx.var.cordon_request_id ?? '';
  const language = pageLanguage(ngx.var.http_accept_language);
  const brand = brandOf(route);
  const recaptcha = asked === 'google_recaptcha' ? settingsAt(currentGeneration())?.recaptcha : undefined;
  // A deployment that has lost its keys asks for what it can still judge; never for nothing.
  const isStandIn = asked === 'google_recaptcha' && recaptcha === undefined;
  const way = isStandIn ? 'js' : asked;
  ngx.header.Vary = 'Accept, Accept-Language';
  ngx.header['Cordon-Challenge'] = way;
  // Only what is shown counts among those that make the next ones harder.
  const challenge = acceptsHtml(ngx.var.http_accept)
    ? makeChallenge(clientOf(route), isStandIn ? 'recaptcha-work' : way, passSeconds, requestId, ngx.now())
    : undefined;
  if (challenge === undefined) {
    answerJson(CHALLENGE_STATUS, challengeObject({ language, brand, requestId, way }));
    return;
  }
  const page = findChallengePage({ language, brand, way, recaptcha }, requestId, challenge, isPassShown(way));
  answerPage(requestId, page, recaptcha);
}

/** Has the client wait: by a page, or where HTML is not accepted by an object that says for how long. The request ends here. */
export function sendWait(terms: WaitTerms, route: PreparedRoute): void {
  discardBody();
  setHsts(route);
  const requestId = ngx.var.cordon_request_id ?? '';
  const { waitSeconds } = terms;
  const language = pageLanguage(ngx.var.http_accept_language);
  const brand = brandOf(route);
  ngx.header.Vary = 'Accept, Accept-Language';
  ngx.header['Cordon-Challenge'] = 'wait';
  const wait = acceptsHtml(ngx.var.http_accept) ? makeWait(clientOf(route), terms, requestId, ngx.now()) : undefined;
  if (wait === undefined) {
    ngx.header['Retry-After'] = waitSeconds;
    answerJson(CHALLENGE_STATUS, waitObject(language, requestId, waitSeconds));
  } else answerPage(requestId, findWaitPage({ language, brand }, requestId, wait, waitSeconds, isPassShown('wait')));
}

/** Whether a pass, good or not, came with the request: then the browser keeps cookies. */
const isPassShown = (way: ChallengeWay): boolean => ngx.var[`cookie_${cookieOfWay(way)}`] !== undefined;

function answerPage(requestId: string, page: readonly string[], recaptcha?: RunnerRecaptcha): void {
  const scripts = recaptcha === undefined ? '' : ` ${recaptcha.script_sources}`;
  const frames = recaptcha === undefined ? '' : ` frame-src ${recaptcha.frame_sources};`;
  // The id of the request is a nonce as good as any: 128 random bits that no other answer has.
  ngx.header['Content-Security-Policy'] =
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${requestId}'${scripts}; connect-src 'self'${scripts};${frames} img-src data:; base-uri 'none'; frame-ancestors 'self'`;
  answer(CHALLENGE_STATUS, 'text/html; charset=utf-8', page);
}

/** With `next`, the client may go on with that, in place of a page that is loaded anew. */
const refuseProof = (next: object = {}): void => {
  noteVerdict('', '', 'challenge_failed', '');
  const requestId = ngx.var.cordon_request_id ?? '';
  answerJson(CHALLENGE_STATUS, { success: false, code: 'CHALLENGE_FAILED', request_id: requestId, ...next });
};

/** Lets the client in, for as long as its pass holds. */
function give(client: ProvingClient, way: ChallengeWay, passSeconds: number, since = 0): void {
  const pass = signPass(client, way, passSeconds, ngx.now(), since);
  if (pass === undefined) {
    refuseProof();
    return;
  }
  // To wait proves nothing: it is counted by itself.
  noteVerdict('', '', way === 'wait' ? 'wait_met' : 'challenge_met', '');
  const secure = ngx.var.scheme === 'https' ? '; Secure' : '';
  ngx.header['Set-Cookie'] =
    `${cookieOfWay(way)}=${pass}; Path=/; Max-Age=${passSeconds}; HttpOnly; SameSite=Lax${secure}`;
  answerJson(200, { success: true });
}

/** Goes on to the picture, which a client gets for its work only. */
function giveNext(next: object | undefined): void {
  if (next === undefined) {
    refuseProof();
    return;
  }
  noteVerdict('', '', 'challenge_next', '');
  answerJson(200, { success: true, ...next });
}

const workOf = ({ text, seed, bits }: Challenge): object => ({ challenge: text, seed, bits });

const pictureOf = (puzzle: Puzzle | undefined): object | undefined =>
  puzzle && {
    puzzle: {
      text: puzzle.text,
      top: puzzle.top,
      picture: ngx.encode_base64(puzzle.picture, false),
      piece: ngx.encode_base64(puzzle.piece, false),
    },
  };

function nextWork(client: ProvingClient, kind: 'puzzle' | 'puzzle-work', passSeconds: number, id: string) {
  const work = makeChallenge(client, kind, passSeconds, id, ngx.now());
  return work && { work: workOf(work) };
}

/** `CANNOT_SEE` in place of an answer: work instead of the picture. */
const CANNOT_SEE = 'work';

function answerPuzzle(client: ProvingClient, text: string, answered: string, id: string): void {
  if (answered === CANNOT_SEE) {
    const passSeconds = giveUpPuzzle(client, text);
    giveNext(passSeconds === undefined ? undefined : nextWork(client, 'puzzle-work', passSeconds, id));
    return;
  }
  const taken = takeAnswer(client, text, answered);
  if (taken === undefined) refuseProof();
  else if (taken.isRight) give(client, 'puzzle', taken.passSeconds);
  // The next picture costs the same work as this one did.
  else refuseProof(nextWork(client, 'puzzle', taken.passSeconds, id));
}

/** What work proves. */
const WAY_OF_WORK = { js: 'js', 'puzzle-work': 'puzzle', 'recaptcha-work': 'google_recaptcha' } as const;
/** How long work holds that stood in for an answer of Google's: by then it may be there again. */
const STAND_IN_SECONDS_MAX = 300;

/** Lets in whom Google takes for human; where it does not answer, work stands in, so that no flood of questions locks visitors out. */
function answerToken(client: ProvingClient, token: string, passSeconds: number, id: string): void {
  const result = takeToken(client, token);
  if (result === 'passed') give(client, 'google_recaptcha', passSeconds);
  else if (result === 'refused') refuseProof();
  else {
    const seconds = Math.min(passSeconds, STAND_IN_SECONDS_MAX);
    const work = makeChallenge(client, 'recaptcha-work', seconds, id, ngx.now());
    if (work === undefined) refuseProof();
    else {
      noteVerdict('', '', 'challenge_unanswered', '');
      answerJson(200, { success: true, unanswered: workOf(work) });
    }
  }
}

function answerWork(client: ProvingClient, text: string, proof: string, token: string, id: string): void {
  const met = takeProof(client, text, proof, ngx.now());
  if (met === undefined) refuseProof();
  else if (met.kind === 'puzzle') giveNext(pictureOf(makePuzzle(client, met.passSeconds, id)));
  else if (met.kind === 'google_recaptcha') answerToken(client, token, met.passSeconds, id);
  else give(client, WAY_OF_WORK[met.kind], met.passSeconds);
}

function answerWait(client: ProvingClient, text: string): void {
  const met = takeWait(client, text, ngx.now());
  if (met === undefined) refuseProof();
  else give(client, 'wait', met.passSeconds, met.since);
}

/** Twice as long as any text of ours with its proof, and what Google gave. */
const PROOF_BYTES_MAX = 600 + TOKEN_BYTES_MAX;

/**
 * Answers a client that shows a proof (`Cordon-Proof: <text> <proof>`, with `<token>` behind it where Google reCAPTCHA gave one): with its pass, with the puzzle that its work has earned, or
 * with a refusal. The request ends here.
 */
export function answerProof(route: PreparedRoute): void {
  discardBody();
  setHsts(route);
  const shown = ngx.var.http_cordon_proof ?? '';
  const [text, proof, token = '', more] = shown.length > PROOF_BYTES_MAX ? [] : shown.split(' ');
  const client = clientOf(route);
  const id = ngx.var.cordon_request_id ?? '';
  if (text === undefined || proof === undefined || more !== undefined || ngx.req.get_method() !== 'POST') refuseProof();
  else if (isWait(text)) answerWait(client, text);
  else if (text.startsWith('answer.')) answerPuzzle(client, text, proof, id);
  else answerWork(client, text, proof, token, id);
}
