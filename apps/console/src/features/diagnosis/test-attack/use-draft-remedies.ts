import { ApiError, type Route } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../../../app/failure';
import { useUpdateRoute } from '../../../domain/data/queries';
import { isStale } from '../../../domain/form/use-draft';
import { notify } from '../../../ui/notices';
import { type NamedAttack, remediesOf } from './remedies';

/** What stops attacks, put into the draft. */
export function useDraftRemedies(route: Route) {
  const t = useTranslations('diagnosis.testAttack.remedy');
  const update = useUpdateRoute(route.id);
  const [drafted, setDrafted] = useState<readonly string[]>([]);

  async function save(attacks: readonly NamedAttack[]) {
    const { plugins, stopped } = remediesOf(route.draft, attacks);
    try {
      await update.mutateAsync({ revision: route.draft_revision, body: { plugins } });
      setDrafted((before) => [...before, ...stopped]);
    } catch (error) {
      if (error instanceof ApiError && isStale(error)) notify({ tone: 'warning', title: t('stale') });
      else notifyFailure(error, () => void save(attacks));
    }
  }

  return {
    /** Attacks that the draft stops since. */
    drafted,
    /** Those that something is known against and has room for. */
    open: (attacks: readonly NamedAttack[]) => {
      const left = attacks.filter(({ attack }) => !drafted.includes(attack));
      const { stopped } = remediesOf(route.draft, left);
      return left.filter(({ attack }) => stopped.includes(attack));
    },
    save,
    reset: () => setDrafted([]),
    isBusy: update.isPending || route.operation?.state === 'running',
  };
}
