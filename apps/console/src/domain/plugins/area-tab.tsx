import type { Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import type { Area } from '@cordon/plugins/areas';
import { definitions } from '@cordon/plugins/definitions';
import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { EffectMark } from '../display/effect-mark';
import { entryOf } from '../model/plugin-state';
import { usePluginWords } from '../words/plugin-words';
import { AreaGlance, ErrorGlance } from './area-glance';
import { AreaSkeleton } from './cards-skeleton';
import { LevelBar } from './level-bar';
import { type PluginCardActions, PluginCards } from './plugin-cards';

interface AreaTabProps extends PluginCardActions {
  area: Exclude<Area, 'upstreams'>;
  route: Route;
  /** At the end of the line above the plugins. */
  action?: ReactNode;
}

/** In the order of the pipeline; what lets past comes after what keeps out. */
const pluginsOf = (area: Area) =>
  definitions
    .filter((definition) => definition.area === area)
    .toSorted((a, b) => Number(a.phase === 'allow') - Number(b.phase === 'allow'));

/** That of plugins of which one at most is on, the next takes the place of the one that is; before the first deploy, what will hold while none is: since then figures say it. */
function ChoiceLine({
  area,
  route,
  definitions,
}: Pick<AreaTabProps, 'area' | 'route'> & { definitions: readonly PluginDefinition[] }) {
  const t = useTranslations('domain.area');
  if (!definitions.every(({ isOnlyOfPhase }) => isOnlyOfPhase)) return null;
  const isNoneOn =
    route.version_live === null && definitions.every((definition) => !entryOf(route.draft, definition).enabled);
  return <span className="min-w-0">{isNoneOn && area === 'caching' ? t('noneCaches') : t('oneOf')}</span>;
}

/** One row for each plugin of an area of the domain page. */
export default function AreaTab({ area, route, action, ...actions }: AreaTabProps) {
  const plugins = useMemo(() => pluginsOf(area), [area]);
  // How high the levels and rows are is known with their words: what is drawn before moves.
  if (!usePluginWords()) return <AreaSkeleton />;
  return (
    <>
      <div data-keep-clear className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        {/* Where something waits, what stands above says so. */}
        {route.pending_changes === 0 && <EffectMark effect="deploy" />}
        <ChoiceLine area={area} route={route} definitions={plugins} />
        {area === 'error-pages' ? <ErrorGlance route={route} /> : <AreaGlance route={route} definitions={plugins} />}
        {action}
      </div>
      {plugins.some(({ atLevel }) => atLevel) && <LevelBar route={route} definitions={plugins} />}
      <PluginCards route={route} definitions={plugins} {...actions} />
    </>
  );
}
