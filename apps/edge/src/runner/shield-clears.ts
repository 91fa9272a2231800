/**
 * Which clears of the control plane this node has carried out, by their ids: a node names those that it knows to the shield that it fetches
 * through, and the shield serves what it has stored only where it has carried out all of them. So what a node has cleared never comes
 * back to it from a shield that has not heard of it yet.
 *
 * `<route>` has entries `<when>:<id>:<1 where all of it is carried out>`, blanks between.
 */
const known = ngx.shared.cordon_shield_clears as SharedDict;

/** A shield hears of a clear within seconds, or is none any more (`LEASE_MS`): after this long it need not be named. */
const KEPT_SECONDS = 600;
/** Who has cleared more of a route lately asks its origin. */
const NAMED_MAX = 20;
/** After what was cleared without an id this node asks origins for as long as a shield may not have heard of it, and some more. */
const UNNAMED_SECONDS = 10;
const UNNAMED = '-';
const EVERY_ROUTE = '*';

interface KnownClear {
  readonly at: number;
  readonly id: string;
  readonly isDone: boolean;
}

/** What a line of `POST /clears` says of the clear that it is of. */
export interface ClearLine {
  readonly route_id: string;
  readonly id?: string;
  readonly last?: boolean;
}

function read(routeId: string): KnownClear[] {
  const entries: KnownClear[] = [];
  const text = (known.get(routeId) ?? '') as string;
  const oldest = ngx.time() - KEPT_SECONDS;
  for (const entry of text === '' ? [] : text.split(' ')) {
    const [at, id, done] = entry.split(':');
    const read = tonumber(at) ?? 0;
    if (id !== undefined && read >= oldest) entries.push({ at: read, id, isDone: done === '1' });
  }
  return entries;
}

function note(routeId: string, id: string, isDone: boolean): void {
  const entries = read(routeId).filter((entry) => entry.id !== id);
  entries.push({ at: ngx.time(), id, isDone });
  const kept = entries.slice(-NAMED_MAX - 1);
  const text = kept.map((entry) => `${entry.at}:${entry.id}:${entry.isDone ? '1' : '0'}`).join(' ');
  const [isStored] = known.safe_set(routeId, text, routeId === EVERY_ROUTE ? 0 : KEPT_SECONDS);
  // Its place is there from the start.
  if (isStored !== true && routeId !== EVERY_ROUTE) note(EVERY_ROUTE, UNNAMED, true);
}

/** In `init_by_lua`: what was cleared before nginx was started anew has no id here. */
export function beginClears(): void {
  if (known.get(EVERY_ROUTE) !== undefined) return;
  note(EVERY_ROUTE, UNNAMED, true);
}

/** Those of them whose last line is at a place of the call. */
export type EndingClears = readonly { readonly routeId: string; readonly id: string; readonly place: number }[];

/** To be called before the lines of `POST /clears` are carried out: whoever fetches from then on names them. */
export function nameClears(lines: readonly ClearLine[]): EndingClears {
  const ending: { routeId: string; id: string; place: number }[] = [];
  let last = '';
  for (let place = 0; place < lines.length; place++) {
    const clear = lines[place] as ClearLine;
    const id = clear.id ?? UNNAMED;
    // The lines of one stand one behind the other.
    if (last !== `${clear.route_id} ${id}`) note(clear.route_id, id, false);
    last = `${clear.route_id} ${id}`;
    if (clear.last === true) ending.push({ routeId: clear.route_id, id, place });
  }
  return ending;
}

/** To be called when workers look again at what they have read of clears. */
export function endClears(ending: EndingClears): void {
  for (const { routeId, id } of ending) note(routeId, id, true);
}

/** What a fetch of the route has to name; undefined: it goes to the origin itself. To be asked after it was noted how much had been cleared. */
export function clearsToName(routeId: string): readonly string[] | undefined {
  const unnamedFrom = ngx.time() - UNNAMED_SECONDS;
  for (const { at, id } of read(EVERY_ROUTE)) if (id === UNNAMED && at >= unnamedFrom) return undefined;
  const ids: string[] = [];
  for (const { at, id } of read(routeId)) {
    if (id === UNNAMED && at >= unnamedFrom) return undefined;
    if (id !== UNNAMED) ids.push(id);
  }
  return ids.length > NAMED_MAX ? undefined : ids;
}

/** Whether all of these were carried out here. To be asked before the generation that a request goes by. */
export function areCarriedOut(routeId: string, ids: readonly string[]): boolean {
  if (ids.length === 0) return true;
  const done = read(routeId)
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);
  for (const id of ids) if (!done.includes(id)) return false;
  return true;
}
