import type { Subscription } from '@cordon/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { UpgradePrompt } from '../../../domain/form/upgrade-prompt';
import { RedirectFields } from '../../../domain/upstreams/lazy-redirect-fields';
import { TrafficAction } from '../../../domain/upstreams/traffic-action';
import { UpstreamFields } from '../../../domain/upstreams/upstream-fields';
import type { AddDomainValues } from './add-domain-values';

/** Second step: where the visitors' requests go. */
export function TrafficStep({ subscription }: { subscription: Subscription | undefined }) {
  const form = useFormContext<AddDomainValues>();
  const action = useWatch({ control: form.control, name: 'traffic_action' });
  const errors = form.formState.errors.upstreams?.targets;
  const needsVip = Array.isArray(errors) && errors.some((error) => error?.host?.type === 'DOMAIN_UPSTREAM_NEEDS_VIP');
  return (
    <div className="flex flex-col gap-5">
      <TrafficAction />
      {action === 'upstream' ? <UpstreamFields serverName={form.getValues('domain_name')} /> : <RedirectFields />}
      {needsVip && subscription?.tier === 'free' && <UpgradePrompt reason="DOMAIN_UPSTREAM_NEEDS_VIP" />}
    </div>
  );
}
