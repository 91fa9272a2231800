import type { Route } from '@cordon/contract';
import { type PluginDefinition, PROTECTION_LEVELS, type ProtectionLevel } from '@cordon/plugin-kit';
import clsx from 'clsx';
import { Check } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge';
import { lazyPart } from '../../ui/lazy-part';
import { levelOf } from './protection-level';

const LevelSheet = lazyPart(() => import('./level-sheet'));

interface LevelBarProps {
  route: Route;
  definitions: readonly PluginDefinition[];
}

/** How strictly the draft protects the domain: one press shows what another level would change. */
export function LevelBar({ route, definitions }: LevelBarProps) {
  const t = useTranslations('domain.level');
  const id = useId();
  const [asked, setAsked] = useState<{ level: ProtectionLevel; opened: number; isOpen: boolean }>();
  const current = levelOf(route.draft, definitions);
  const isLive = route.live !== null && levelOf(route.live, definitions) === current;
  return (
    <section aria-labelledby={id} className="mb-4 rounded-card border border-line bg-card px-4 py-3 sm:px-5">
      <h2 id={id} className="flex flex-wrap items-center gap-2 font-semibold">
        {t('title')}
        {current === undefined && <Badge>{t('custom')}</Badge>}
        {current !== undefined && !isLive && <Badge tone="warning">{t('notLive')}</Badge>}
      </h2>
      <ul className="mt-2 grid grid-cols-3 gap-2">
        {PROTECTION_LEVELS.map((level) => (
          <li key={level} className="min-w-0">
            <button
              type="button"
              aria-pressed={level === current}
              onClick={() => setAsked((before) => ({ level, opened: (before?.opened ?? 0) + 1, isOpen: true }))}
              className={clsx(
                'flex size-full flex-col rounded-control border p-3 text-left transition-colors touch:min-h-10 phone:items-center',
                level === current ? 'border-primary bg-soft' : 'border-line-strong bg-card hover:bg-sunken',
              )}
            >
              <span className="flex items-center gap-2 font-medium">
                {t(`names.${level}`)}
                {level === current && <Check size={16} className="text-primary-ink" aria-hidden />}
              </span>
              <span className="mt-0.5 block text-sm text-muted phone:hidden">{t(`effects.${level}`)}</span>
            </button>
          </li>
        ))}
      </ul>
      {asked && (
        <Suspense fallback={null}>
          <LevelSheet
            key={asked.opened}
            route={route}
            definitions={definitions}
            level={asked.level}
            open={asked.isOpen}
            onOpenChange={(isOpen) => setAsked({ ...asked, isOpen })}
          />
        </Suspense>
      )}
    </section>
  );
}
