import type { LoadedPlugin } from './load-plugins.ts';

/** What is wrong between plugins. */
export function checkTogether(plugins: readonly LoadedPlugin[]): string[] {
  const faults: string[] = [];
  const places = new Map<string, string>();
  for (const { definition } of plugins) {
    const place = `${definition.phase} ${definition.order}`;
    const neighbour = places.get(place);
    if (neighbour)
      faults.push(`${neighbour} and ${definition.name} share phase ${definition.phase} and order ${definition.order}`);
    places.set(place, definition.name);
  }
  return faults;
}
