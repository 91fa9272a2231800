import type { Route } from '@cordon/contract';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useOperationError } from '../../../domain/words/operation-error';
import { StatusBadge } from '../../../ui/badge';
import { notify } from '../../../ui/notices';

const SHADOW_DOMAIN_ACTIONS = ['add_shadow', 'remove_shadow', 'promote_shadow'] as const;
type ShadowDomainOperation = (typeof SHADOW_DOMAIN_ACTIONS)[number];

const shadowDomainAction = (route: Route): ShadowDomainOperation | undefined =>
  SHADOW_DOMAIN_ACTIONS.find((action) => action === route.immediate_operation?.action);

/** Running, then successful: the newest change of shadow domains until every node has it. */
export function ShadowDomainProgress({ route }: { route: Route }) {
  const t = useTranslations('shadowDomains.progress');
  const reason = useOperationError();
  const operation = route.immediate_operation;
  const action = shadowDomainAction(route);
  const state = operation?.state;
  // What had ended before. A change can be with every node before the page hears that it runs.
  const ended = useRef(state === 'running' ? undefined : operation?.id);
  useEffect(() => {
    if (!operation || state === 'running' || operation.id === ended.current) return;
    ended.current = operation.id;
    if (action && state === 'successful')
      notify({ id: `shadow-domains:${operation.id}`, tone: 'success', title: t(`done.${action}`) });
  }, [operation, action, state, t]);
  if (!action || !operation || state === 'successful' || operation.error === 'SUPERSEDED') return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusBadge tone={state === 'running' ? 'primary' : 'danger'} busy={state === 'running'}>
        {t(state === 'running' ? `running.${action}` : 'failed')}
      </StatusBadge>
      {state === 'failed' && <span className="text-sm text-muted">{reason(operation.error)}</span>}
    </div>
  );
}
