import * as json from 'cjson.safe';
import { leaveOutRow } from './logged-rows.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { discardBody } from './refusal.ts';

/** Shows the agent which version of the route requests meet in this node. */
export function sendProbe(route: PreparedRoute): void {
  // No visitor's request: it would be in the customer's figures.
  ngx.var.cordon_logged = '0';
  leaveOutRow();
  discardBody();
  ngx.status = 200;
  ngx.header['Content-Type'] = 'application/json';
  ngx.header['Cache-Control'] = 'no-store';
  ngx.print(json.encode({ route_id: route.id, version: route.version, revision: route.revision }));
  ngx.exit(200);
}
