import { HSTS_PRELOAD_SECONDS_MIN, type Hsts, hstsValue, type Route, type SslConfig } from '@cordon/contract';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { RadioCards } from '../../ui/choice';
import { CloseButton } from '../../ui/closing';
import { Dialog } from '../../ui/dialog';
import { FailureLine } from '../../ui/failure-line';
import { useFailingHere } from '../../ui/use-failing-here';
import { useSpan } from './hsts-words';

/** From a try to what preload lists ask for, and twice that. */
const TIMES = [300, 86_400, 2_592_000, HSTS_PRELOAD_SECONDS_MIN, 63_072_000];
const FIRST: Hsts = { max_age_seconds: 300, include_subdomains: false, preload: false };

interface HstsDialogProps {
  route: Route;
  ssl: SslConfig;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSave: (hsts: Hsts) => Promise<void>;
}

/** What browsers are told, with what comes of it: nothing is sent before that is confirmed. */
export default function HstsDialog({ route, ssl, open, onOpenChange, onSave }: HstsDialogProps) {
  const { hsts, preload_of: preloaded } = ssl;
  const t = useTranslations('ssl.dialog');
  const span = useSpan();
  const known = hsts && hsts.max_age_seconds > 0 ? hsts : FIRST;
  const [value, setValue] = useState(known);
  const [isSure, setSure] = useState(false);
  const { isRunning, failure, run } = useFailingHere(open, onOpenChange);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it is when it is opened
  useEffect(() => {
    if (!open) return;
    setValue(known);
    setSure(false);
  }, [open]);
  const { max_age_seconds: seconds, include_subdomains: isWide } = value;
  const canBePreloaded = preloaded.is_served && isWide && seconds >= HSTS_PRELOAD_SECONDS_MIN;
  const sent = { ...value, preload: value.preload && canBePreloaded };
  const times = [...new Set([...TIMES, known.max_age_seconds])].sort((one, other) => one - other);
  const change = (next: Partial<Hsts>) => {
    setValue({ ...value, ...next });
    // What was confirmed was something else.
    setSure(false);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      busy={isRunning}
      title={t('title', { name: route.domain_name_unicode })}
      description={t('body')}
      footer={
        <>
          <CloseButton>{t('cancel')}</CloseButton>
          <Button variant="primary" loading={isRunning} disabled={!isSure} onClick={() => void run(() => onSave(sent))}>
            {t(hsts && hsts.max_age_seconds > 0 ? 'save' : 'confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioCards
          label={t('time')}
          value={String(seconds)}
          onValueChange={(text) => change({ max_age_seconds: Number(text) })}
          options={times.map((time) => ({
            value: String(time),
            label: span(time),
            ...(time === FIRST.max_age_seconds && { description: t('try') }),
          }))}
        />
        <Checkbox
          label={t('subdomains')}
          hint={t('subdomainsHint', { name: route.domain_name_unicode.replace(/^\*\./, '') })}
          checked={isWide}
          onChange={(event) => change({ include_subdomains: event.target.checked })}
        />
        <Checkbox
          label={t('preload')}
          hint={t(!preloaded.is_served ? 'preloadElsewhere' : canBePreloaded ? 'preloadHint' : 'preloadNeeds', {
            name: preloaded.name,
          })}
          checked={sent.preload}
          disabled={!canBePreloaded}
          onChange={(event) => change({ preload: event.target.checked })}
        />
        <Callout tone="warning">
          <p>{t('warning', { time: span(seconds) })}</p>
          {isWide && <p className="mt-2">{t('warningSubdomains')}</p>}
          {sent.preload && <p className="mt-2">{t('warningPreload')}</p>}
        </Callout>
        <code className="font-mono text-sm wrap-anywhere">Strict-Transport-Security: {hstsValue(sent)}</code>
        <Checkbox
          label={t(isWide ? 'sureWide' : 'sure')}
          checked={isSure}
          onChange={(event) => setSure(event.target.checked)}
        />
        {failure && <FailureLine failure={failure} />}
      </div>
    </Dialog>
  );
}
