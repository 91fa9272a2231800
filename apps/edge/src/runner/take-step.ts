import { PASS_SECONDS } from '@cordon/plugin-kit/challenge';
import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import { decideFrom, decideWaiting, refuseBeforeStart } from './access.ts';
import { answerProof, sendChallenge, sendWait } from './challenge-answer.ts';
import { currentGeneration } from './generation.ts';
import { handOver } from './hand-over.ts';
import type { PageKind } from './page-texts.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { sendProbe } from './probe.ts';
import { sendPage, sendRedirect } from './refusal.ts';
import { findRoute } from './route-lookup.ts';
import { findBrand, settingsAt } from './settings.ts';
import {
  CACHED_STEP,
  CHALLENGE_STEP,
  DIRECT_STEP,
  FAULT_STEP,
  HAND_OVER_STEP,
  LOCATED_STEP,
  NEXT,
  PAGE_STEP,
  PLUGINS_STEP,
  PROBE_STEP,
  PROOF_STEP,
  REDIRECT_STEP,
  START_STEP,
  TEST_REFUSED_STEP,
  TEST_STEP,
} from './step.ts';
import { answerTest, isTest, refuseTest, showVerdict } from './test-request.ts';

function sendPageOf(parts: readonly string[], route: PreparedRoute | undefined): void {
  const [, kind, status, code, brandId, retrySeconds] = parts as [string, PageKind, string, string, string, string];
  const brand = findBrand(settingsAt(currentGeneration()), brandId === '' ? undefined : brandId);
  sendPage(kind, tonumber(status) ?? 500, code, brand, route, tonumber(retrySeconds));
}

function sendChallengeOf(parts: readonly string[], route: PreparedRoute): void {
  const [, way, pass, wait, since] = parts as [string, ChallengeWay, string, string, string];
  const passSeconds = tonumber(pass) ?? PASS_SECONDS;
  if (way === 'wait') sendWait({ waitSeconds: tonumber(wait) ?? 0, since: tonumber(since) ?? 0, passSeconds }, route);
  else sendChallenge(way, passSeconds, route);
}

/** How long a visitor waits for a node that has just started to learn what it serves, and how often it looks. */
const START_SECONDS_MAX = 3;
const POLL_SECONDS = 0.02;

/** Decides anew once the agent has sent nginx everything: a restart of nginx is a short wait, not an error. */
function decideAfterStart(isTls: boolean): string {
  const deadline = ngx.now() + START_SECONDS_MAX;
  while (settingsAt(currentGeneration()) === undefined) {
    if (ngx.now() >= deadline) return refuseBeforeStart();
    ngx.sleep(POLL_SECONDS);
  }
  return decideWaiting(isTls);
}

function performFor(step: string, isTls: boolean): void {
  const match = findRoute(ngx.var.host ?? '', currentGeneration());
  perform(step, match === undefined ? undefined : match.route, isTls);
}

function perform(text: string, route: PreparedRoute | undefined, isTls: boolean): void {
  const parts = text.split('\t');
  const step = parts[0] as string;
  if (step !== PLUGINS_STEP && isTest()) showVerdict();
  if (step === PAGE_STEP) sendPageOf(parts, route);
  else if (step === REDIRECT_STEP) sendRedirect(tonumber(parts[1] as string) ?? 302, parts[2] as string, route);
  else if (step === CHALLENGE_STEP && route !== undefined) sendChallengeOf(parts, route);
  else if (step === CACHED_STEP || step === LOCATED_STEP) ngx.exec(ngx.var.cordon_cached ?? '');
  else if (step === DIRECT_STEP) ngx.exec('@direct');
  else if (step === START_STEP) {
    const next = decideAfterStart(isTls);
    if (next !== NEXT) performFor(next, isTls);
  } else if (route === undefined || step === FAULT_STEP) ngx.exit(500);
  else if (step === PROOF_STEP) answerProof(route);
  else if (step === TEST_STEP) answerTest();
  else if (step === TEST_REFUSED_STEP) refuseTest();
  else if (step === PROBE_STEP) sendProbe(route);
  else if (step === HAND_OVER_STEP) handOver(route, isTls);
  else if (step === PLUGINS_STEP) {
    const next = decideFrom(route, isTls, parts.slice(1));
    if (next !== NEXT) perform(next, route, isTls);
  }
}

/** `access_by_lua` of @step, where waiting and answering is possible. What it lets pass goes on to the proxy. */
export function takeStep(this: void, isTls: boolean): void {
  performFor(ngx.var.cordon_step ?? FAULT_STEP, isTls);
}
