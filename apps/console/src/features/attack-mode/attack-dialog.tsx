import { ATTACK_FEED } from '@cordon/plugin-kit/feeds';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';
import { useFeedGaps } from '../../domain/plugins/feed-gaps';
import { useGapParts } from '../../domain/plugins/gap-parts';
import GapsCallout from '../../domain/plugins/gaps-callout';
import { Button } from '../../ui/button';
import { RadioCards } from '../../ui/choice';
import { CloseButton } from '../../ui/closing';
import { Dialog } from '../../ui/dialog';
import { FailureLine } from '../../ui/failure-line';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { notify } from '../../ui/notices';
import { useFailingHere } from '../../ui/use-failing-here';
import { type AttackEnd, attackModesOptions, holdingMode, useEndAttackMode, useStartAttackMode } from './queries';
import { ATTACK_NOTICE, useNotifyEnded } from './use-notify-ended';

const MINUTES = ['15', '60', '360', '1440'] as const;

interface AttackDialogProps {
  route?: { readonly id: string; readonly domain_name_unicode: string } | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * Asks for how long, and says what visitors meet meanwhile; of a mode that is on, when it ends instead. Without a domain it
 * is about all of the account.
 */
export default function AttackDialog({ route, open, onOpenChange }: AttackDialogProps) {
  const t = useTranslations('attackMode');
  const format = useFormat();
  const { data, isPending } = useQuery(attackModesOptions(route?.id));
  // As it was when it was asked: what is done in the dialog must not change it while it closes.
  const known = useRef(data);
  const [minutes, setMinutes] = useState<string>('60');
  const { isRunning, failure, run } = useFailingHere(open, onOpenChange);
  if (open && !isRunning) known.current = data;
  const mode = holdingMode(known.current, route?.id);
  const scope = mode ? mode.route_id : (route?.id ?? null);
  const start = useStartAttackMode(scope, mode !== undefined);
  const end = useEndAttackMode(scope);
  const notifyEnded = useNotifyEnded(scope, route?.domain_name_unicode ?? '');
  const gaps = useFeedGaps(ATTACK_FEED, scope ?? undefined, open);
  const parts = useGapParts();
  async function finish(work: () => Promise<unknown>, title: string) {
    const remark = gaps ? t.markup('gaps', parts.plain(gaps)).trim() : undefined;
    if (await run(work))
      notify({ id: ATTACK_NOTICE, tone: remark ? 'warning' : 'success', title, description: remark });
  }
  async function finishEnd() {
    let answer: AttackEnd | undefined;
    const work = async () => {
      answer = await end.mutateAsync();
    };
    if ((await run(work)) && answer) notifyEnded(answer);
  }
  const submit = () => finish(() => start.mutateAsync(Number(minutes) * 60), t(mode ? 'changed' : 'started'));
  const name = scope === null ? undefined : route?.domain_name_unicode;
  const titles = mode
    ? (['dialog.titleOn', 'dialog.titleOnAll'] as const)
    : (['dialog.title', 'dialog.titleAll'] as const);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      busy={isRunning}
      title={name === undefined ? t(titles[1]) : t(titles[0], { name })}
      description={mode ? t('dialog.until', { time: momentText(format, mode.ends_at) }) : t('dialog.body')}
      footer={
        <>
          {mode ? (
            <Button variant="danger" loading={end.isPending} onClick={() => void finishEnd()}>
              {t(scope === null ? 'endAll' : 'end')}
            </Button>
          ) : (
            <CloseButton>{t('dialog.cancel')}</CloseButton>
          )}
          <Button
            variant={mode ? 'secondary' : 'primary'}
            loading={start.isPending || isPending}
            onClick={() => void submit()}
          >
            {t(mode ? 'dialog.change' : 'dialog.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioCards
          label={t(mode ? 'dialog.endsIn' : 'dialog.howLong')}
          value={minutes}
          onValueChange={setMinutes}
          options={MINUTES.map((value) => ({ value, label: t(`dialog.for.${value}`) }))}
        />
        {gaps && <GapsCallout gaps={gaps} of="attackMode" onFollow={() => onOpenChange(false)} />}
        {!mode && <Callout tone="warning">{t('dialog.warning')}</Callout>}
        {failure && <FailureLine failure={failure} />}
      </div>
    </Dialog>
  );
}
