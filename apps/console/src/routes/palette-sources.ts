import { needCatalogs } from '../app/intl-store';
import type { PaletteSource } from '../app/palette/palette-types';
import { lazyPart } from '../ui/lazy-part';

/** Every source of the palette; a feature that has one adds its line here. They load with the palette. */
const sources: readonly (() => Promise<PaletteSource>)[] = [
  async () =>
    (await import('../features/domains/commands/domain-source')).loadDomainSource({
      ActionDialog: lazyPart(() => import('./domain-action-dialog')),
      GroupsDialog: lazyPart(async () => {
        await needCatalogs('groups');
        return import('../features/groups/groups-dialog');
      }),
    }),
  async () => (await import('../features/bans/bans-source')).loadBansSource(),
  async () => (await import('../features/diagnosis/request-source')).loadRequestSource(),
  async () => (await import('../app/shell/palette-source')).shellSource,
];

/** Loads all sources; one that cannot be loaded does not take the others along. */
export async function loadPaletteSources(): Promise<PaletteSource[]> {
  const settled = await Promise.allSettled(sources.map((load) => load()));
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
