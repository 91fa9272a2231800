import type { LoadedPlugin } from './load-plugins.ts';

/** What is wrong between plugins. */
export function checkTogether(plugins: readonly LoadedPlugin[]): string[] {
  const faults: string[] = [];
  const places = new Map<string, string>();
  const redirecting = plugins.find(({ definition }) => definition.phase === 'redirect')?.definition;
  for (const { definition } of plugins) {
    const place = `${definition.phase} ${definition.order}`;
    const neighbour = places.get(place);
    if (neighbour)
      faults.push(`${neighbour} and ${definition.name} share phase ${definition.phase} and order ${definition.order}`);
    places.set(place, definition.name);
    // The traffic action of a domain switches it on and off.
    if (definition.phase === 'redirect' && definition.name !== redirecting?.name)
      faults.push(`${redirecting?.name} and ${definition.name} redirect: phase redirect holds one plugin`);
  }
  return faults;
}
