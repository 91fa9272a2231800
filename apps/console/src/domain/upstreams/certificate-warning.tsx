import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { Callout } from '../form/callout';
import type { UpstreamValues } from './upstream-values';

export interface CertificateChoice {
  /** Goes on although visitors will see an error until the server has another certificate. */
  readonly onKeep: () => void;
  readonly onSwitchedOff: () => void;
}

/** On a phone its ways out would stand behind the buttons of the dialog. */
const scrollToIt = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' });

/** Says before anything is deployed that strict verification would turn every visitor into an error, and the ways out; what is wrong stands at each target. */
export function CertificateWarning({ choice }: { choice?: CertificateChoice | undefined }) {
  const t = useTranslations('upstreams.warning');
  const form = useFormContext<UpstreamValues>();
  function switchOff() {
    form.setValue('upstreams.tls_verification', 'off', { shouldDirty: true, shouldValidate: true });
    choice?.onSwitchedOff();
  }
  const warning = (
    <Callout
      tone="warning"
      role={choice && 'alert'}
      className="mt-3"
      actions={
        <>
          <Button size="sm" onClick={switchOff}>
            {t('switchOff')}
          </Button>
          {choice && (
            <Button size="sm" onClick={choice.onKeep}>
              {t('keep')}
            </Button>
          )}
        </>
      }
    >
      <p className="font-medium">{t('title')}</p>
      <p className="mt-1">{t('wayOut')}</p>
    </Callout>
  );
  return choice ? <div ref={scrollToIt}>{warning}</div> : warning;
}
