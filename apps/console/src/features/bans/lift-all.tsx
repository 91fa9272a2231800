import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useFormat } from '../../ui/format';
import { useLiftAll } from './use-lift-all';

interface LiftAllProps {
  count: number;
  q: string | undefined;
  domain: string | undefined;
  onLifted: () => void;
}

/** Lifts, after a question, everything that the list has for this search and domain. */
export default function LiftAll({ count, q, domain, onLifted }: LiftAllProps) {
  const t = useTranslations('bans.liftAll');
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  const { liftAll, isPending } = useLiftAll(onLifted);
  const what = domain === undefined ? 'found' : 'foundOfDomain';
  const all = domain === undefined ? 'all' : 'allOfDomain';
  return (
    <>
      <Button size="sm" disabled={isPending} onClick={() => setAsking(true)}>
        {t('button', { number: format.number(count) })}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('title', { count })}
        confirmLabel={t('confirm')}
        tone="danger"
        onConfirm={async () => {
          await liftAll({ q: q ?? '', ...(domain !== undefined && { route_id: domain }) }, count);
          setAsking(false);
        }}
      >
        {q === undefined ? t(all) : t(what, { q })}
      </ConfirmDialog>
    </>
  );
}
