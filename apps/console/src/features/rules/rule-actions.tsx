import { onlySwitchesOff, type Rule, type RuleSelection } from '@cordon/contract';
import { hasLists } from '@cordon/plugin-kit/merge-config';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Send, Trash2 } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { needCatalogs } from '../../app/intl-store';
import { Button, IconButton } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { lazyPart } from '../../ui/lazy-part';
import { Menu } from '../../ui/menu';
import { notify } from '../../ui/notices';
import { ruleKeys, useDeleteRule } from './queries';

const ApplyDialog = lazyPart(async () => {
  await needCatalogs('apply');
  return import('./apply/apply-dialog');
});

interface ApplyRuleProps {
  rule: Rule;
  /** The domains are settled: begin with what changes. */
  only?: RuleSelection | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed?: ((batchId: string) => void) | undefined;
}

/** The way to apply a rule: which domains, what changes on each, then the batch. */
export function ApplyRule({ rule, only, open, onOpenChange, onClosed }: ApplyRuleProps) {
  const t = useTranslations('rules.apply');
  const client = useQueryClient();
  const { id } = rule;
  return (
    <Suspense fallback={null}>
      <ApplyDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t('title', { name: rule.name })}
        cname={rule.subscription_cname}
        lists={rule.plugins.some(({ config }) => hasLists(config)) ? rule.lists : undefined}
        onlyOff={rule.plugins.filter(onlySwitchesOff).map(({ name }) => name)}
        only={only}
        applied={rule.domains}
        differing={rule.differing}
        brought={{ rule_id: id }}
        previewKey={ruleKeys.preview(id, rule.revision)}
        preview={(selection, query, signal) => api.previewRule({ params: { id }, query, body: { selection }, signal })}
        apply={async (selection, how) =>
          (await api.applyRule({ params: { id }, ifMatch: rule.revision, body: { selection, ...how } })).result
        }
        onStale={() => void client.invalidateQueries({ queryKey: ruleKeys.detail(id) })}
        onEnded={() => void client.invalidateQueries({ queryKey: ruleKeys.all })}
        onClosed={onClosed}
      />
    </Suspense>
  );
}

/** Opens the way to apply a rule; `only` leaves out the choice of domains. Render `dialog` once. */
export function useApplyRule(rule: Rule): { ask: (only?: RuleSelection) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ only?: RuleSelection; opened: number; isOpen: boolean }>();
  return {
    ask: (only) => setAsked((before) => ({ only, opened: (before?.opened ?? 0) + 1, isOpen: true })),
    dialog: asked && (
      <ApplyRule
        key={asked.opened}
        rule={rule}
        only={asked.only}
        open={asked.isOpen}
        onOpenChange={(isOpen) => setAsked({ ...asked, isOpen })}
      />
    ),
  };
}

/** "Apply to domains": what is saved is applied, so there must be nothing unsaved. */
export function ApplyButton({ rule, isDirty }: { rule: Rule; isDirty: boolean }) {
  const t = useTranslations('rules.apply');
  const { ask, dialog } = useApplyRule(rule);
  return (
    <>
      <Button
        variant={isDirty ? 'secondary' : 'primary'}
        icon={<Send size={16} aria-hidden />}
        disabled={isDirty}
        title={isDirty ? t('saveFirst') : undefined}
        onClick={() => ask()}
      >
        {t('button')}
      </Button>
      {dialog}
    </>
  );
}

export function RuleMenu({ rule, onDeleted }: { rule: Rule; onDeleted: () => void }) {
  const t = useTranslations('rules.delete');
  const remove = useDeleteRule();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t('more')}
            icon={<Ellipsis size={18} aria-hidden />}
            variant="secondary"
            className="flex-none!"
          />
        }
        groups={[
          [
            {
              id: 'delete',
              label: t('action'),
              icon: <Trash2 size={16} aria-hidden />,
              tone: 'danger',
              onSelect: () => setAsking(true),
            },
          ],
        ]}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('title', { name: rule.name })}
        confirmLabel={t('confirm')}
        tone="danger"
        onConfirm={async () => {
          await remove.mutateAsync({ id: rule.id, cname: rule.subscription_cname });
          notify({ tone: 'success', title: t('done', { name: rule.name }) });
          onDeleted();
        }}
      >
        {t('body', { count: rule.domains })}
      </ConfirmDialog>
    </>
  );
}
