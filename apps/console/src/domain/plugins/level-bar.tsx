import type { PluginEntry, Route } from '@cordon/contract';
import { type PluginDefinition, PROTECTION_LEVELS, type ProtectionLevel } from '@cordon/plugin-kit';
import clsx from 'clsx';
import { Check } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge';
import { lazyPart } from '../../ui/lazy-part';
import { parseConfig } from '../model/parse-config';
import { entryOf } from '../model/plugin-state';
import { pluginName, usePluginWords } from '../words/plugin-words';
import { changesAt, entryAt, type LevelChange, levelOf } from './protection-level';

const LevelSheet = lazyPart(() => import('./level-sheet'));

interface LevelBarProps {
  route: Route;
  definitions: readonly PluginDefinition[];
}

/** A plugin that a level has on, in figures, or turns off; louder where it is not so now. */
function LevelLine({
  definition,
  entry,
  change,
}: {
  definition: PluginDefinition;
  entry: PluginEntry;
  change: LevelChange | undefined;
}) {
  const t = useTranslations('domain.level');
  const words = usePluginWords()?.(definition.name);
  const parsed = parseConfig(definition, entry.config);
  if (!words || !parsed.success) return null;
  const { message, params } = definition.brief?.(parsed.data) ?? definition.summary(parsed.data);
  const text = entry.enabled ? words(message, params) : t('off');
  return (
    // On a phone, where one level stands below the other, the number of changes has to do.
    <span className="block wrap-anywhere phone:hidden">
      {change && <span className="sr-only">{t('changed')} </span>}
      <span className={clsx('text-ink', change && 'font-medium')}>{pluginName(words, definition.name)}</span> {text}
      {change?.isLooser && <span className="text-warning"> {t('looserBrief')}</span>}
    </span>
  );
}

function LevelButton({
  route,
  definitions,
  level,
  isCurrent,
  onPress,
}: LevelBarProps & { level: ProtectionLevel; isCurrent: boolean; onPress: () => void }) {
  const t = useTranslations('domain.level');
  const tArea = useTranslations('domain.area');
  const changes = changesAt(level, route.draft, definitions);
  const entries = definitions.map((definition) => {
    const now = entryOf(route.draft, definition);
    return { definition, now, next: entryAt(definition, level, now) };
  });
  // Of what is on unless it was turned off, as bans are, that it stays so goes without saying.
  const isTold = ({ isAlwaysOn, isStandby }: PluginDefinition) => !isAlwaysOn || isStandby;
  const said = entries.flatMap(({ definition, next }) => {
    const change = changes.find((one) => one.definition === definition);
    return next && (change || (next.enabled && isTold(definition))) ? [{ definition, next, change }] : [];
  });
  const counted = entries.filter(({ definition }) => !definition.isStandby);
  const on = counted.filter(({ now, next = now }) => next.enabled).length;
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      onClick={onPress}
      className={clsx(
        'flex size-full flex-col rounded-control border p-3 text-left text-sm text-muted transition-colors touch:min-h-10',
        isCurrent ? 'border-primary bg-soft' : 'border-line-strong bg-card hover:bg-sunken',
      )}
    >
      <span className="tabular mb-1 flex flex-wrap items-center gap-x-2">
        <span className="font-semibold text-ink">{t(`names.${level}`)}</span>
        {isCurrent && <Check size={16} className="text-primary-ink" aria-hidden />}
        {tArea('on', { on, all: counted.length })}
        <span className={clsx('ml-auto', changes.length > 0 && 'font-medium text-ink')}>
          {t('changes', { count: changes.length })}
        </span>
      </span>
      {said.map(({ definition, next, change }) => (
        <LevelLine key={definition.name} definition={definition} entry={next} change={change} />
      ))}
    </button>
  );
}

/** How strictly the draft protects the domain, and in figures how strictly it could: one press shows what a level would change. */
export function LevelBar({ route, definitions }: LevelBarProps) {
  const t = useTranslations('domain.level');
  const id = useId();
  const [asked, setAsked] = useState<{ level: ProtectionLevel; opened: number; isOpen: boolean }>();
  const current = levelOf(route.draft, definitions);
  const isLive = route.live !== null && levelOf(route.live, definitions) === current;
  return (
    <section aria-labelledby={id} className="mb-4 rounded-card border border-line bg-card px-4 py-3">
      <h2 id={id} className="flex flex-wrap items-center gap-2 font-semibold">
        {t('title')}
        {current === undefined && <Badge>{t('custom')}</Badge>}
        {current !== undefined && !isLive && <Badge tone="warning">{t('notLive')}</Badge>}
      </h2>
      <ul className="mt-2 grid gap-2 sm:grid-cols-3">
        {PROTECTION_LEVELS.map((level) => (
          <li key={level} className="min-w-0">
            <LevelButton
              route={route}
              definitions={definitions}
              level={level}
              isCurrent={level === current}
              onPress={() => setAsked((before) => ({ level, opened: (before?.opened ?? 0) + 1, isOpen: true }))}
            />
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
