import type { Rule, RuleSelection } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Send, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { needCatalogs } from '../../app/intl-store';
import { Button, IconButton } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Menu } from '../../ui/menu';
import { notify } from '../../ui/notices';
import { templateKeys, useDeleteTemplate } from './rule-queries';

const ApplyDialog = lazy(async () => {
  await needCatalogs('apply');
  return import('./apply/apply-dialog');
});

interface ApplyTemplateProps {
  template: Rule;
  /** The domains are settled: begin with what changes. */
  only?: RuleSelection | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed?: ((batchId: string) => void) | undefined;
}

/** The way to apply a template: which domains, what changes on each, then the batch. */
export function ApplyTemplate({ template, only, open, onOpenChange, onClosed }: ApplyTemplateProps) {
  const t = useTranslations('rules.apply');
  const client = useQueryClient();
  const { id } = template;
  return (
    <Suspense fallback={null}>
      <ApplyDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t('title', { name: template.name })}
        cname={template.subscription_cname}
        only={only}
        applied={template.domains}
        differing={template.differing}
        previewKey={[...templateKeys.detail(id), 'preview', template.revision]}
        preview={(selection, query, signal) => api.previewRule({ params: { id }, query, body: { selection }, signal })}
        apply={async (selection, how) =>
          (await api.applyRule({ params: { id }, ifMatch: template.revision, body: { selection, ...how } })).result
        }
        onStale={() => void client.invalidateQueries({ queryKey: templateKeys.detail(id) })}
        onEnded={() => void client.invalidateQueries({ queryKey: templateKeys.all })}
        onClosed={onClosed}
      />
    </Suspense>
  );
}

/** Opens the way to apply a template; `only` leaves out the choice of domains. Render `dialog` once. */
export function useApplyTemplate(template: Rule): { ask: (only?: RuleSelection) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ only?: RuleSelection; opened: number; isOpen: boolean }>();
  return {
    ask: (only) => setAsked((before) => ({ only, opened: (before?.opened ?? 0) + 1, isOpen: true })),
    dialog: asked && (
      <ApplyTemplate
        key={asked.opened}
        template={template}
        only={asked.only}
        open={asked.isOpen}
        onOpenChange={(isOpen) => setAsked({ ...asked, isOpen })}
      />
    ),
  };
}

/** "Apply to domains": what is saved is applied, so there must be nothing unsaved. */
export function ApplyButton({ template, isDirty }: { template: Rule; isDirty: boolean }) {
  const t = useTranslations('rules.apply');
  const { ask, dialog } = useApplyTemplate(template);
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

export function TemplateMenu({ template, onDeleted }: { template: Rule; onDeleted: () => void }) {
  const t = useTranslations('rules.delete');
  const remove = useDeleteTemplate();
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
        title={t('title', { name: template.name })}
        confirmLabel={t('confirm')}
        tone="danger"
        onConfirm={async () => {
          await remove.mutateAsync({ id: template.id, cname: template.subscription_cname });
          notify({ tone: 'success', title: t('done', { name: template.name }) });
          onDeleted();
        }}
      >
        {t('body', { count: template.domains })}
      </ConfirmDialog>
    </>
  );
}
