import type { ApiToken } from '@cordon/contract';
import clsx from 'clsx';
import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useListQuery } from '../../../app/list-query';
import { staleOf } from '../../../app/stale-data';
import { Button, IconButton } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { notify } from '../../../ui/notices';
import { useNow } from '../../../ui/now';
import { EmptyState, ErrorState, Skeleton, StaleLine } from '../../../ui/states';
import { tokensOptions, useRevokeToken } from './queries';
import { type Preset, scopeKey } from './token-scopes';
import { WayBack } from './way-back';

const CreateTokenDialog = lazyPart(() => import('./create-token-dialog'));
const RenameTokenDialog = lazyPart(() => import('./rename-token-dialog'));

const DAY_MS = 86_400_000;
/** What was made a moment ago by another clock has no day more. */
const CLOCKS_MS = 60_000;
/** So few days before its end a token is marked. */
const SOON_DAYS = 7;

/** When a token ends, and when and from where it was used last. */
function TokenTimes({ token }: { token: ApiToken }) {
  const t = useTranslations('accounts.tokens.list');
  const format = useFormat();
  const now = useNow();
  const left = Date.parse(token.expires_at) - now;
  const days = Math.max(1, Math.ceil((left - CLOCKS_MS) / DAY_MS));
  return (
    <div className="text-sm text-muted tabular sm:text-right">
      <p
        className={clsx(left <= 0 ? 'text-danger' : days <= SOON_DAYS && 'text-warning')}
        title={format.dateTime(token.expires_at)}
      >
        {left <= 0 ? t('expired', { date: format.date(token.expires_at) }) : t('expires', { days })}
      </p>
      <p className="wrap-anywhere" title={token.last_used_at ? format.dateTime(token.last_used_at) : undefined}>
        {token.last_used_at
          ? t('used', { ago: format.relative(token.last_used_at, now), address: token.last_used_from ?? '' })
          : t('unused')}
      </p>
    </div>
  );
}

interface TokenLineProps {
  token: ApiToken;
  onRename: () => void;
  onRevoke: () => void;
}

function TokenLine({ token, onRename, onRevoke }: TokenLineProps) {
  const t = useTranslations('accounts.tokens');
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-t border-line px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere">
          <span className="font-medium">{token.name}</span>{' '}
          <code className="font-mono text-sm text-muted">{token.hint}</code>
        </p>
        <p className="mt-0.5 text-sm text-muted">
          {token.scopes.map((scope) => t(`scopes.${scopeKey(scope)}`)).join(' · ')}
        </p>
      </div>
      <TokenTimes token={token} />
      <div className="ml-auto flex">
        <IconButton
          label={t('list.rename', { name: token.name })}
          icon={<Pencil size={16} aria-hidden />}
          onClick={onRename}
        />
        <IconButton
          label={t('list.revoke', { name: token.name })}
          icon={<Trash2 size={16} aria-hidden />}
          onClick={onRevoke}
        />
      </div>
    </li>
  );
}

export interface TokensTabProps {
  /** What the dialog for a new token begins with; undefined: it is closed. */
  creating: Preset | undefined;
  onCreatingChange: (preset: Preset | undefined) => void;
  /** The domain whose Caching tab has led here. */
  domainId?: string | undefined;
}

/** The API tokens of the signed-in user: made, renamed and revoked here. */
export default function TokensTab({ creating, onCreatingChange, domainId }: TokensTabProps) {
  const t = useTranslations('accounts.tokens');
  const list = useListQuery({ ...tokensOptions, meta: { isOfScreen: true } });
  const revoke = useRevokeToken();
  const [renamed, setRenamed] = useState<ApiToken>();
  const [doomed, setDoomed] = useState<ApiToken>();
  const [isAsking, setAsking] = useState(false);
  /** What led here asks for it. */
  const [asked] = useState(creating);
  const stale = staleOf(list);
  const create = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => onCreatingChange('read')}>
      {t('create')}
    </Button>
  );
  const tokens = list.data;
  const isEmpty = tokens?.length === 0;
  const card = (
    <Card title={t('title')} description={t('description')} actions={!isEmpty && create} flush>
      {tokens === undefined ? (
        list.isLoadingError ? (
          <ErrorState
            {...describeFailure(list.error)}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        ) : (
          <div className="px-4 pb-4">
            <Skeleton className="h-40" />
          </div>
        )
      ) : isEmpty ? (
        <EmptyState
          icon={<KeyRound size={22} aria-hidden />}
          title={t('empty.title')}
          description={t('empty.body')}
          action={create}
        />
      ) : (
        <ul aria-label={t('list.label')}>
          {tokens.map((token) => (
            <TokenLine
              key={token.id}
              token={token}
              onRename={() => setRenamed(token)}
              onRevoke={() => {
                setDoomed(token);
                setAsking(true);
              }}
            />
          ))}
        </ul>
      )}
      {stale && <StaleLine {...stale} />}
      <Suspense fallback={null}>
        {creating && (
          <CreateTokenDialog preset={creating} domainId={domainId} onClose={() => onCreatingChange(undefined)} />
        )}
        {renamed && <RenameTokenDialog key={renamed.id} token={renamed} onClose={() => setRenamed(undefined)} />}
      </Suspense>
      {doomed && (
        <ConfirmDialog
          open={isAsking}
          onOpenChange={setAsking}
          title={t('revoke.title', { name: doomed.name })}
          confirmLabel={t('revoke.confirm')}
          tone="danger"
          onConfirm={async () => {
            await revoke.mutateAsync(doomed.id);
            notify({ tone: 'success', title: t('revoke.done', { name: doomed.name }) });
          }}
        >
          {t('revoke.body')}
        </ConfirmDialog>
      )}
    </Card>
  );
  return (
    <>
      {domainId !== undefined && <WayBack domainId={domainId} preset={asked} />}
      {card}
    </>
  );
}
