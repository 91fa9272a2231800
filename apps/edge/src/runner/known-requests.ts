/**
 * What lists of customers take of requests on which they have no effect, in steps (request-work.ts), by User-Agent and path: those of
 * browsers and of a site's own pages come again and again. Lists that no route has any more are let go.
 */
type Steps = LuaTable<string, LuaTable<string, number>>;

const weakKeys = { __mode: 'k' } as const;
let known = setmetatable(new LuaTable<object, Steps>(), weakKeys);
let knownCount = 0;
const KNOWN_MAX = 10_000;
/** Longer ones are looked at each time. */
const AGENT_BYTES_MAX = 300;
const PATH_BYTES_MAX = 200;

/** Undefined: it is not known whether the list has an effect. */
export function stepsWithoutEffect(list: object, agent: string, path: string): number | undefined {
  return known.get(list)?.get(agent)?.get(path) as number | undefined;
}

/** Forgotten all at once when there are too many: a flood of new paths costs little more than their search. */
export function noteStepsWithoutEffect(list: object, agent: string, path: string, steps: number): void {
  if (agent.length > AGENT_BYTES_MAX || path.length > PATH_BYTES_MAX) return;
  if (knownCount >= KNOWN_MAX) {
    known = setmetatable(new LuaTable(), weakKeys);
    knownCount = 0;
  }
  let ofList = known.get(list) as Steps | undefined;
  if (ofList === undefined) {
    ofList = new LuaTable();
    known.set(list, ofList);
  }
  let ofAgent = ofList.get(agent) as LuaTable<string, number> | undefined;
  if (ofAgent === undefined) {
    ofAgent = new LuaTable();
    ofList.set(agent, ofAgent);
  }
  ofAgent.set(path, steps);
  knownCount++;
}
