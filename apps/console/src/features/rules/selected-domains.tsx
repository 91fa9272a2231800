import type { Rule, RuleSelection } from '@cordon/contract';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';
import { Button, buttonClass } from '../../ui/button';
import { ApplyRule } from './rule-actions';

/** Domains that were selected in the list before the rule for them was made. */
export interface SelectedForRule {
  readonly selection: RuleSelection;
  readonly count: number;
  /** Of the address of the list that they were selected in: the way back. */
  readonly search: object;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Stays with the page, over a reload too, until the rule is applied. */
    selectedForRule?: SelectedForRule;
  }
}

interface SelectedDomainsProps {
  selected: SelectedForRule;
  /** Undefined while it is new. */
  rule: Rule | undefined;
  isDirty: boolean;
  onApplied: () => void;
}

/** Goes on with the domains that the rule is made for: what changes on each, as soon as it is there. */
export function SelectedDomains({
  selected: { selection, count, search },
  rule,
  isDirty,
  onApplied,
}: SelectedDomainsProps) {
  const t = useTranslations('rules.selected');
  const tApply = useTranslations('rules.apply');
  const [opened, setOpened] = useState(1);
  const [isOpen, setOpen] = useState(true);
  const back = (
    <Link to="/domain/list" search={search} state={{ keepsSelection: true }} className={buttonClass('ghost', 'sm')}>
      {t('back')}
    </Link>
  );
  if (!rule)
    return (
      <Callout tone="info" actions={back}>
        {t('next', { count })}
      </Callout>
    );
  return (
    <>
      <Callout
        tone="info"
        actions={
          <>
            {back}
            <Button
              size="sm"
              icon={<Send size={16} aria-hidden />}
              disabled={isDirty}
              title={isDirty ? tApply('saveFirst') : undefined}
              onClick={() => {
                setOpened(opened + 1);
                setOpen(true);
              }}
            >
              {t('apply', { count })}
            </Button>
          </>
        }
      >
        {t('waiting', { count })}
      </Callout>
      <ApplyRule key={opened} rule={rule} only={selection} open={isOpen} onOpenChange={setOpen} onClosed={onApplied} />
    </>
  );
}
