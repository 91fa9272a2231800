import { type ConfigChange, diffConfigs, type Route, type RouteConfig } from '@cordon/contract';
import { Split } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { Button } from '../../ui/button';
import { RadioCards } from '../../ui/choice';
import { useFormat } from '../../ui/format';
import { Callout } from '../form/callout';
import type { Side } from '../model/merge-draft';
import { ChangeBody } from './change-body';
import { ChangeList } from './change-list';
import { pluginDefaults } from './plugin-defaults';

/** A setting that both sides changed. */
export interface Contested {
  readonly key: string;
  readonly label: string;
}

interface ConflictProps {
  base: Route;
  theirs: Route;
  /** What would be saved without the other change. */
  mine: RouteConfig;
  /** What both sides changed: whose counts is chosen one by one. */
  contested: readonly Contested[];
  /** Key of the setting that a change belongs to. */
  keyOf: (change: ConfigChange) => string | undefined;
  /** Goes on upon their draft, with what was typed where it is not given up here. */
  onResolve: (sides: Readonly<Record<string, Side>>) => void;
  onTakeTheirs: () => void;
}

function Bodies({
  changes,
  before,
  after,
}: {
  changes: readonly ConfigChange[];
  before: RouteConfig;
  after: RouteConfig;
}) {
  const t = useTranslations('domain.conflict');
  if (changes.length === 0) return t('asBefore');
  return changes.map((change) => (
    <ChangeBody key={`${change.plugin} ${change.field}`} change={change} before={before} after={after} />
  ));
}

/**
 * Another user changed the draft meanwhile: who, what, and for each setting that both changed, whose counts. Nothing
 * typed is lost without being asked for.
 */
export function Conflict({ base, theirs, mine, contested, keyOf, onResolve, onTakeTheirs }: ConflictProps) {
  const t = useTranslations('domain.conflict');
  const format = useFormat();
  const whoOf = useWho();
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const who = theirs.draft_updated_by === null ? t('anotherUser') : whoOf(theirs.draft_updated_by);
  const changesOf = (config: RouteConfig, key: string): ReactNode => {
    const changes = diffConfigs(base.draft, config, pluginDefaults).filter((change) => keyOf(change) === key);
    return <Bodies changes={changes} before={base.draft} after={config} />;
  };
  return (
    <div role="alert" className="flex flex-col gap-3">
      <Callout tone="warning" icon={<Split size={16} />}>
        <p className="font-medium">{t('title', { who, time: format.relative(theirs.draft_updated_at) })}</p>
        <p className="mt-0.5 text-ink">
          {contested.length > 0
            ? t('contested', { fields: format.list(contested.map(({ label }) => label)) })
            : t('body')}
        </p>
      </Callout>
      <ChangeList before={base.draft} after={theirs.draft} />
      {contested.map(({ key, label }) => (
        <div key={key} className="flex flex-col gap-1.5">
          <p className="font-medium">{label}</p>
          <RadioCards
            label={t('whose', { field: label })}
            options={[
              { value: 'mine', label: t('mine'), description: changesOf(mine, key) },
              { value: 'theirs', label: t('theirs', { who }), description: changesOf(theirs.draft, key) },
            ]}
            value={sides[key] ?? 'mine'}
            onValueChange={(side) => setSides({ ...sides, [key]: side })}
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={() => onResolve(sides)}>
          {t(contested.length > 0 ? 'resolve' : 'merge')}
        </Button>
        <Button size="sm" variant="ghost" onClick={onTakeTheirs}>
          {t('takeTheirs')}
        </Button>
      </div>
    </div>
  );
}
