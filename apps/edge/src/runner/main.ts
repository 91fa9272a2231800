import * as json from 'cjson.safe';
import { proceed, access as runAccess } from './access.ts';
import { administrate } from './admin.ts';
import { balance } from './balancer.ts';
import { answerInterim, answerDirectly as exchangeDirectly, filterHeader } from './early-hints.ts';
import { sendErrorPage } from './error-page.ts';
import { captureLog, guarded } from './fault.ts';
import { currentGeneration, findRoute } from './route-lookup.ts';
import { type RunnerOptions, setOptions } from './runner-options.ts';
import { endWebsocket, registerWorker } from './websocket-limit.ts';

/** Entry points that nginx.conf.template calls. */
export { administrate, answerInterim, balance, endWebsocket, filterHeader, registerWorker, sendErrorPage };
export const access = guarded(runAccess);
export const answerDirectly = guarded(exchangeDirectly);

const meta = ngx.shared.cordon_meta as SharedDict;

/** `init_by_lua`: reads the agent's options; `bootId` stays what it was as long as the shared memory does. */
export function init(this: void, optionsText: string, bootId: string): void {
  const given = json.decode<RunnerOptions>(optionsText);
  if (given !== undefined) setOptions(given);
  meta.safe_add('boot_id', bootId);
  captureLog();
  // Prepared routes live long: collecting less often costs memory in proportion to them, and saves time on each request.
  collectgarbage('setpause', 400);
}

/** `access_by_lua` of the location for free plans' websockets, after `access` has let the request through. */
export function continueWebsocket(this: void, isTls: boolean): void {
  const generation = currentGeneration();
  const match = findRoute(ngx.var.host ?? '', generation);
  if (match === undefined) ngx.exit(502);
  else proceed(match.route, isTls, generation);
}
