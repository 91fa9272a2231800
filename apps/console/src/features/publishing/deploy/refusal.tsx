import { ApiError, type Route } from '@cordon/contract';
import { Split } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { Callout } from '../../../domain/form/callout';
import RefusedElsewhere from '../../../domain/plugins/refused-elsewhere';
import { useErrorList } from '../../../domain/words/error-words';
import { joinSentences } from '../../../ui/sentences';

/** Why a deploy was refused: another user's change, settings of plugins, or what the whole answer says. */
export default function Refusal({
  error,
  route,
  onLeave,
}: {
  error: Error;
  route: Route | undefined;
  onLeave: () => void;
}) {
  const t = useTranslations('domain.deploy');
  const who = useWho();
  const errorList = useErrorList();
  if (error instanceof ApiError && error.code === 'STALE_REVISION')
    return (
      <Callout tone="warning" icon={<Split size={16} />} role="alert">
        {t('stale', { who: route?.draft_updated_by ? who(route.draft_updated_by) : t('anotherUser') })}
      </Callout>
    );
  return (
    <Callout tone="danger" role="alert">
      {route && error instanceof ApiError ? (
        <RefusedElsewhere error={error} routeId={route.id} onLeave={onLeave} />
      ) : (
        joinSentences(errorList(error))
      )}
    </Callout>
  );
}
