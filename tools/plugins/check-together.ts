import type { LoadedPlugin } from './load-plugins.ts';

/** What is wrong between plugins. */
export function checkTogether(plugins: readonly LoadedPlugin[]): string[] {
  const faults: string[] = [];
  const places = new Map<string, string>();
  const dicts = new Map<string, string>();
  for (const { definition } of plugins) {
    const place = `${definition.phase} ${definition.order}`;
    const neighbour = places.get(place);
    if (neighbour)
      faults.push(`${neighbour} and ${definition.name} share phase ${definition.phase} and order ${definition.order}`);
    places.set(place, definition.name);
    for (const dict of Object.keys(definition.sharedDicts)) {
      const owner = dicts.get(dict);
      if (owner) faults.push(`${owner} and ${definition.name} both declare the shared dictionary ${dict}`);
      dicts.set(dict, definition.name);
    }
  }
  return faults;
}
