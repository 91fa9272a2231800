import { ApiError, type Route } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../../../app/failure';
import { isStale } from '../../../domain/data/use-saves';
import { useUpdateRoute } from '../../../domain/data/use-update-route';
import { notify } from '../../../ui/notices';
import { type NamedAttack, remediesOf } from './remedies';

/** What the draft does, and what can be put into it, about attacks that reach the origin. */
export function useDraftRemedies(route: Route, reached: readonly NamedAttack[]) {
  const t = useTranslations('diagnosis.testAttack.remedy');
  const update = useUpdateRoute(route.id);

  async function save(attacks: readonly NamedAttack[]) {
    const { plugins } = remediesOf(route.draft, attacks);
    try {
      await update.mutateAsync({ upon: route, body: { plugins } });
    } catch (error) {
      if (error instanceof ApiError && isStale(error)) notify({ tone: 'warning', title: t('stale') });
      else notifyFailure(error, () => void save(attacks));
    }
  }

  return {
    ...remediesOf(route.draft, reached),
    save,
    isSaving: update.isPending,
    /** The domain is being changed already. */
    isBusy: route.operation?.state === 'running',
  };
}
