import type { RouteSelection } from '@cordon/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { needCatalogs } from '../../app/intl-store';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';

const ChooseRuleDialog = lazyPart(async () => {
  await needCatalogs('rules', 'apply');
  return import('./choose-rule-dialog');
});

interface BulkRuleProps {
  selection: RouteSelection;
  count: number;
  isTooLong: boolean;
  /** Shows the batch over the list, and empties the selection. */
  onStarted: (batchId: string) => void;
}

/** In the bar over the list: a rule for the domains that are selected. */
export default function BulkRule({ selection, count, isTooLong, onStarted }: BulkRuleProps) {
  const t = useTranslations('domain.action');
  const [opened, setOpened] = useState(0);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        disabled={isTooLong}
        onClick={() => {
          setOpened(opened + 1);
          setOpen(true);
        }}
      >
        {t('applyRule')}
      </Button>
      {opened > 0 && (
        <Suspense fallback={null}>
          <ChooseRuleDialog
            key={opened}
            selection={selection}
            count={count}
            open={isOpen}
            onOpenChange={setOpen}
            onStarted={onStarted}
          />
        </Suspense>
      )}
    </>
  );
}
