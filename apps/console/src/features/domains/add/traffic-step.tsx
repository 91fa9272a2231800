import type { Subscription } from '@cordon/contract';
import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Callout } from '../../../domain/form/callout';
import { UpgradePrompt } from '../../../domain/form/upgrade-prompt';
import { RedirectFields } from '../../../domain/upstreams/lazy-redirect-fields';
import { TrafficAction } from '../../../domain/upstreams/traffic-action';
import { UpstreamFields, useProtocolChoice, useSuggestion } from '../../../domain/upstreams/upstream-fields';
import { meantTargets } from '../../../domain/upstreams/upstream-values';
import type { Verification } from '../../../domain/upstreams/use-verify-upstreams';
import { Button } from '../../../ui/button';
import type { AddDomainValues } from './add-domain-values';
import { type Admission, useDetection } from './use-detection';

/** On a phone it would stand behind the buttons of the dialog. */
const scrollToIt = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' });

interface ContradictionProps {
  verification: Verification;
  onKeep: () => void;
  onForward: () => void;
}

/** The targets answered, and not over the protocol that is chosen: going on with what answered is one press. */
function Contradiction({ verification, onKeep, onForward }: ContradictionProps) {
  const t = useTranslations('domain.add.contradicted');
  const tUpstreams = useTranslations('domain.upstreams');
  const { control } = useFormContext<AddDomainValues>();
  const upstreams = useWatch({ control, name: 'upstreams' });
  const { protocol } = upstreams;
  const targets = meantTargets(upstreams);
  const { suggestion, results } = verification;
  const onProtocol = useProtocolChoice();
  const { apply } = useSuggestion({ targets, protocol, suggestion, onProtocol });
  const suggested = suggestion && tUpstreams(`protocol.${suggestion.protocol}`);
  return (
    <Callout
      tone="warning"
      role="alert"
      actions={
        <>
          {suggested && (
            <Button
              size="sm"
              variant="primary"
              onClick={() => {
                apply();
                onForward();
              }}
            >
              {t('use', { protocol: suggested })}
            </Button>
          )}
          <Button
            size="sm"
            onClick={() => {
              onKeep();
              onForward();
            }}
          >
            {t('keep', { protocol: tUpstreams(`protocol.${protocol}`) })}
          </Button>
        </>
      }
    >
      {suggested ? tUpstreams('suggested', { protocol: suggested, count: results.length }) : t('differ')}
    </Callout>
  );
}

interface TrafficStepProps {
  subscription: Subscription | undefined;
  admission: Admission;
  onForward: () => void;
}

/** Second step: where the visitors' requests go. */
export function TrafficStep({ subscription, admission, onForward }: TrafficStepProps) {
  const t = useTranslations('domain.add.silent');
  const form = useFormContext<AddDomainValues>();
  const { verification, isSilent, isContradicted, isRefused, keep } = useDetection(form, admission);
  const action = useWatch({ control: form.control, name: 'traffic_action' });
  const errors = form.formState.errors.upstreams?.targets;
  useEffect(() => {
    if (!admission.isDue) return;
    admission.isDue = false;
    onForward();
  });
  const keepAndGoOn = () => {
    keep();
    onForward();
  };
  const needsVip = Array.isArray(errors) && errors.some((error) => error?.host?.type === 'DOMAIN_UPSTREAM_NEEDS_VIP');
  return (
    <div className="flex flex-col gap-5">
      <TrafficAction />
      {action === 'upstream' ? (
        <UpstreamFields
          serverName={form.getValues('domain_name')}
          verification={verification}
          suggests={!isContradicted}
          certificateChoice={isRefused ? { onKeep: keepAndGoOn, onSwitchedOff: onForward } : undefined}
        />
      ) : (
        <RedirectFields />
      )}
      {isContradicted && action === 'upstream' && (
        <div ref={scrollToIt}>
          <Contradiction verification={verification} onKeep={keep} onForward={onForward} />
        </div>
      )}
      {isSilent && action === 'upstream' && (
        <div ref={scrollToIt}>
          <Callout
            tone="warning"
            role="alert"
            actions={
              <Button size="sm" onClick={keepAndGoOn}>
                {t('keep')}
              </Button>
            }
          >
            {t('body')}
          </Callout>
        </div>
      )}
      {needsVip && subscription?.tier === 'free' && <UpgradePrompt reason="DOMAIN_UPSTREAM_NEEDS_VIP" />}
    </div>
  );
}
