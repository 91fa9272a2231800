import * as json from 'cjson.safe';
import { beginGeneration } from './generation.ts';
import type { RunnerBrand, RunnerSettings } from './payload.ts';

/** Settings of the node, kept decoded by each worker as long as the generation stands. */
const meta = ngx.shared.cordon_meta as SharedDict;

let cached: RunnerSettings | undefined;
let cachedGeneration = -1;

/** Settings as of a generation of the configuration; undefined until the agent has pushed them for the first time. */
export function settingsAt(generation: number): RunnerSettings | undefined {
  if (generation !== cachedGeneration) {
    const text = meta.get('settings') as string | undefined;
    cached = text === undefined ? undefined : json.decode<RunnerSettings>(text);
    cachedGeneration = generation;
  }
  return cached;
}

/** Brand by its key, or the default one. */
export function findBrand(settings: RunnerSettings | undefined, key: string | undefined): RunnerBrand | undefined {
  if (settings === undefined) return undefined;
  return (key === undefined ? undefined : settings.brands[key]) ?? settings.brands[settings.default_brand];
}

/** Stores pushed settings; answers why not when it cannot. */
export function storeSettings(text: string): string | undefined {
  if (json.decode<RunnerSettings>(text) === undefined) return 'no JSON';
  const [stored, error] = meta.safe_set('settings', text);
  if (stored !== true) return error ?? 'not stored';
  beginGeneration();
  return undefined;
}
