import * as json from 'cjson.safe';
import { decide as decideRequest, proceed, waitStep } from './access.ts';
import { administrate } from './admin.ts';
import { balance } from './balancer.ts';
import { countRound, filterCached, filterFoundAgain } from './cache-answer.ts';
import { keepJournal, restoreClears } from './cache-clears.ts';
import {
  endFetch as endFetching,
  failFetch,
  fetchAgain,
  fetchDirectly as fetchFromHinting,
  fetch as fetchFromOrigin,
  fetchId,
  fetchUnshielded as fetchWithoutShield,
  filterFetched,
  filterFetchedBody,
} from './cache-fetch.ts';
import { endSlices } from './cache-slices.ts';
import { boundWriting } from './cache-writing.ts';
import { releasePlaces } from './concurrency-limit.ts';
import { admitHandshake, watchConnections } from './connections.ts';
import {
  answerInterim,
  canSendDirectly,
  answerDirectly as exchangeDirectly,
  filterHeader,
  filterPlainHeader,
  filterStepHeader,
} from './early-hints.ts';
import { sendErrorPage, sendTooSlowPage } from './error-page.ts';
import { captureLog, guarded, guardedDecision } from './fault.ts';
import { currentGeneration } from './generation.ts';
import { isHintingRoute } from './hinting-routes.ts';
import { registerWorker as registerAmongLiving } from './living-workers.ts';
import { startRecurring } from './recurring.ts';
import { findRoute } from './route-lookup.ts';
import { type RunnerOptions, setOptions } from './runner-options.ts';
import { admitShielded as admitFromNode, filterShielded } from './shield-answer.ts';
import { presentShield } from './shield-certificate.ts';
import { beginShieldChanges } from './shield-changes.ts';
import { beginClears } from './shield-clears.ts';
import { balanceShield } from './shield-fetch.ts';
import { watchShields } from './shield-watch.ts';
import { FAULT_STEP } from './step.ts';
import { releaseBody } from './stored-answer.ts';
import { takeStep as takeNextStep } from './take-step.ts';
import { endUpload, sweepUploads } from './uploads.ts';
import { filterBody } from './visitor-response.ts';
import { endWebsocket, sweepWebsockets } from './websockets.ts';
import { startBeat } from './worker-beat.ts';

/** Entry points that nginx.conf.template calls. */
export {
  administrate,
  admitHandshake,
  answerInterim,
  balance,
  balanceShield,
  countRound,
  endSlices,
  failFetch,
  fetchAgain,
  filterBody,
  filterCached,
  filterFetched,
  filterFetchedBody,
  filterFoundAgain,
  filterHeader,
  filterPlainHeader,
  filterShielded,
  filterStepHeader,
  presentShield,
  sendErrorPage,
  sendTooSlowPage,
};
export const decide = guardedDecision(decideRequest, FAULT_STEP, waitStep);
export const takeStep = guarded(takeNextStep);
export const fetch = guarded(fetchFromOrigin);
export const fetchDirectly = guarded(fetchFromHinting);
export const fetchUnshielded = guarded(fetchWithoutShield);
export const admitShielded = guarded(admitFromNode);
export const answerDirectly = guarded(exchangeDirectly);

const meta = ngx.shared.cordon_meta as SharedDict;

/** `init_by_lua`: reads the agent's options; `bootId` stays what it was as long as the shared memory does. */
export function init(this: void, optionsText: string, bootId: string): void {
  const given = json.decode<RunnerOptions>(optionsText);
  if (given !== undefined) setOptions(given);
  meta.safe_add('boot_id', bootId);
  captureLog();
  restoreClears();
  beginClears();
  beginShieldChanges();
  // The decision of a request with all that it calls is one trace: with less room LuaJIT gives it up and interprets it.
  // Its machine code stands in one piece of 1 MB (bench/edge-plugins.ts: 0.76 against 0.73).
  jit.opt.start('maxrecord=16000', 'maxirconst=4000', 'maxmcode=8192', 'sizemcode=1024');
  // Prepared routes live long: collecting less often costs memory in proportion to them, and saves time on each request.
  collectgarbage('setpause', 400);
}

/** `init_worker_by_lua`. */
export function registerWorker(this: void): void {
  // nginx's processes that look after its cache come here too, and serve nobody.
  if (ngx.worker.id() === undefined) return;
  registerAmongLiving();
  sweepWebsockets();
  startBeat();
  sweepUploads();
  watchConnections();
  watchShields();
  boundWriting();
  keepJournal();
  startRecurring();
}

/** `access_by_lua` of the locations that requests are handed over to (hand-over.ts). */
export function continueRequest(this: void, isTls: boolean): void {
  const generation = currentGeneration();
  const match = findRoute(ngx.var.host ?? '', generation);
  const upstream = match === undefined ? undefined : match.route.upstream;
  if (match === undefined || upstream === undefined) ngx.exit(502);
  else if (isHintingRoute(match.route.id, generation) && canSendDirectly()) ngx.exec(upstream.directLocation);
  else proceed(match.route, isTls, generation);
}

/** `log_by_lua` of every place where such a request can end: gives back what it had taken. */
export function endRequest(this: void): void {
  const requestId = ngx.var.cordon_request_id ?? '';
  endWebsocket(requestId);
  endUpload(requestId);
  releasePlaces(requestId);
}

/** The same of the fetching server. */
export function endFetch(this: void): void {
  releaseBody(fetchId());
  endFetching();
  releasePlaces(fetchId());
}
