import type { PluginArea } from '@cordon/plugin-kit';
import { AREA_ICONS } from './area-icons';

/** The icon of a plugin's area, in the colours of one that is on or off. */
export function PluginIcon({ area, isEnabled }: { area: PluginArea; isEnabled: boolean }) {
  const Icon = AREA_ICONS[area];
  return (
    <span
      className={
        isEnabled
          ? 'grid size-9 shrink-0 place-items-center rounded-control bg-soft text-primary-ink'
          : 'grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-muted'
      }
    >
      <Icon size={18} aria-hidden />
    </span>
  );
}
