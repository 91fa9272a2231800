import { CircleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import type { InteractionForm } from './use-interaction-form';

/** What went wrong with the whole form, and Retry where that may help; or that no answer comes, and the ways on. */
export function FormState({ form: { error, canRetry, slow } }: { form: InteractionForm }) {
  const t = useTranslations('identity');
  return (
    // Its room is kept, for two lines on a phone: nothing moves when it comes.
    <div role="alert" className="min-h-14">
      {slow && (
        <div className="flex items-center gap-2 rounded-control bg-warning-soft px-3 py-1.5 text-warning">
          <p className="min-w-0 flex-1">{t('slow')}</p>
          <Button size="sm" onClick={slow.onRetry}>
            {t('unreachable.action')}
          </Button>
          <Button size="sm" variant="ghost" onClick={slow.onCancel}>
            {t('cancel')}
          </Button>
        </div>
      )}
      {error && (
        <div className="flex items-center gap-2 rounded-control bg-danger-soft px-3 py-2 text-danger">
          <CircleAlert size={16} className="shrink-0" aria-hidden />
          <p className="min-w-0 flex-1">{error}</p>
          {canRetry && (
            <Button type="submit" size="sm">
              {t('unreachable.action')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
