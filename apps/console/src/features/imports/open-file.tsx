import type { Subscription } from '@cordon/contract';
import { CircleAlert, CircleCheck, FileSpreadsheet, LoaderCircle, Upload } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, isTransient } from '../../app/failure';
import { usePlanName } from '../../app/plan-name';
import { Callout } from '../../domain/form/callout';
import { NamesShort } from '../../domain/form/names-short';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DiscardQuestion } from '../../ui/discard-question';
import { LongWaitLine } from '../../ui/long-wait';
import { findFocusAfter } from '../../ui/lost-focus';
import { dismissNotice, notify } from '../../ui/notices';
import { Select } from '../../ui/select';
import { useLong } from '../../ui/use-long';
import { ENCODINGS } from './file/sheet';
import { MissingGroups } from './missing-groups';
import { Preview } from './preview';
import { EMPTY_CELLS_ID } from './problem-lines';
import { type ImportTableHandle, type OpenFile, REMOVED_NOTICE } from './use-import-table';
import type { RemoteCheck } from './use-remote-check';

export interface OpenFileProps {
  table: ImportTableHandle;
  file: OpenFile;
  check: RemoteCheck;
  subscriptions: readonly Subscription[];
  cname: string;
  onSubscriptionChange: (cname: string) => void;
  isStarting: boolean;
  startError: unknown;
  onStart: () => void;
}

const STANDING_ID = 'import-standing';

/** A press over all rows goes with what it has mended: the line that says how they stand takes the focus. */
async function standAfter(done: Promise<unknown>): Promise<void> {
  await done;
  requestAnimationFrame(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) document.getElementById(STANDING_ID)?.focus();
  });
}

/** Whether the rows are being checked, wrong, or ready. */
function CheckStatus({ file, check }: { file: OpenFile; check: RemoteCheck }) {
  const t = useTranslations('imports.standing');
  const { bad, total } = file.summary;
  const line = (icon: ReactNode, className: string, words: string) => (
    <p
      id={STANDING_ID}
      role="status"
      tabIndex={-1}
      className={`flex items-start gap-2 font-medium outline-none ${className}`}
    >
      <span className="mt-0.5 shrink-0">{icon}</span>
      {words}
    </p>
  );
  if (bad > 0) return line(<CircleAlert size={16} aria-hidden />, 'text-danger', t('wrong', { bad, total }));
  if (!check.isDone)
    return line(
      <LoaderCircle size={16} className="animate-[spin_1s_linear_infinite]" aria-hidden />,
      'text-muted',
      t('checking'),
    );
  return line(<CircleCheck size={16} aria-hidden />, 'text-success', t('ready', { total }));
}

/** What is started, or may have been, are the rows as they stand: tried again, they are the same import. */
const isStartedOrMayBe = ({ isStarting, startError }: OpenFileProps): boolean => isStarting || isTransient(startError);

const isOver = ({ names }: RemoteCheck): boolean => names !== undefined && names.needed > names.left;

/** The subscription that the domains will belong to, with the names it has left. */
function SubscriptionField({ check, subscriptions, cname, onSubscriptionChange }: OpenFileProps) {
  const t = useTranslations('imports');
  const planName = usePlanName();
  const { names } = check;
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium">{t('subscription')}</span>
      <Select
        label={t('subscription')}
        options={subscriptions.map((one) => ({
          value: one.cname,
          label: `${planName(one)} · ${one.cname}`,
          disabled: one.status !== 'active',
        }))}
        value={cname}
        onValueChange={onSubscriptionChange}
      />
      {/* Its line is there before the numbers are. */}
      <span className={isOver(check) ? 'text-sm font-medium text-danger' : 'text-sm text-muted'}>
        {names ? t('names', { needed: names.needed, left: names.left }) : '\u00a0'}
      </span>
    </div>
  );
}

interface EncodingFieldProps extends Pick<OpenFileProps, 'table' | 'file'> {
  /** Does what reads the rows anew, after a question where some of them were mended. */
  askBefore: (read: () => void) => void;
}

/** How the file was written, for files of text. */
function EncodingField({ table, file: { name, bytes, encoding }, askBefore }: EncodingFieldProps) {
  const t = useTranslations('imports.encoding');
  if (!encoding || !bytes) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium">{t('label')}</span>
      <Select
        label={t('label')}
        options={ENCODINGS.map((value) => ({ value, label: t(value) }))}
        value={encoding}
        onValueChange={(next) => askBefore(() => void table.open(name, bytes, next))}
      />
      <span className="text-sm text-muted">{t('hint')}</span>
    </div>
  );
}

/** Nothing has answered the check of the rows for long: a way on. */
function LongCheck({ onAgain }: { onAgain: () => void }) {
  const t = useTranslations('imports');
  if (!useLong(true)) return null;
  return (
    <Callout
      tone="warning"
      role="status"
      className="mt-4"
      actions={<Button onClick={onAgain}>{t('actions.again')}</Button>}
    >
      {t('checkLong')}
    </Callout>
  );
}

/** What the file has too much of or lacks, and what went wrong. */
function Obstacles(props: OpenFileProps) {
  const { table, file, check, isStarting, startError } = props;
  const t = useTranslations('imports');
  const { unknownHeaders, isStatusAssumed, fillable, missingGroups } = file.summary;
  const { names } = check;
  const isStartLong = useLong(isStarting);
  return (
    <>
      {fillable > 0 && (
        <Callout tone="danger" className="mt-4 items-center!">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p id={EMPTY_CELLS_ID}>{t('emptyCells', { count: fillable })}</p>
            <Button size="sm" onClick={() => void standAfter(table.fillEmpty())}>
              {t('actions.fill', { count: fillable })}
            </Button>
          </div>
        </Callout>
      )}
      {unknownHeaders.length > 0 && (
        <Callout tone="warning" className="mt-4">
          {t('unknownHeaders', { headers: unknownHeaders.join(', ') })}
        </Callout>
      )}
      {isStatusAssumed && (
        <Callout
          tone="info"
          className="mt-4"
          actions={
            <Button disabled={isStartedOrMayBe(props)} onClick={() => void standAfter(table.runAll())}>
              {t('actions.runAll')}
            </Button>
          }
        >
          {t('statusAssumed')}
        </Callout>
      )}
      <MissingGroups names={missingGroups} onCreated={check.retry} />
      {names && isOver(check) && (
        <div className="mt-4">
          <NamesShort>{t('namesOver', { over: names.needed - names.left })}</NamesShort>
        </div>
      )}
      {!check.isDone && !check.error && <LongCheck key={check.turn} onAgain={check.retry} />}
      {isStartLong && (
        <div className="mt-4">
          <LongWaitLine />
        </div>
      )}
      {Boolean(check.error ?? startError) && (
        <Callout
          tone="danger"
          role="alert"
          className="mt-4"
          actions={check.error ? <Button onClick={check.retry}>{t('actions.again')}</Button> : undefined}
        >
          {describeFailure(startError ?? check.error).reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
          {isTransient(startError) && <p>{t('startUnknown')}</p>}
        </Callout>
      )}
    </>
  );
}

/** What can be done with all rows at once, and the start. */
function RowActions({ table, file: { summary }, check, isStarting, onStart }: OpenFileProps) {
  const t = useTranslations('imports.actions');
  const isReady = summary.bad === 0 && summary.total > 0 && check.isDone;
  // What was removed comes back only while the rows are here.
  useEffect(() => () => dismissNotice(REMOVED_NOTICE), []);
  async function removeBad() {
    const count = summary.bad;
    await table.removeBad();
    notify({
      id: REMOVED_NOTICE,
      tone: 'success',
      title: t('removed', { count }),
      durationMs: 10_000,
      action: { label: t('undo'), onPress: () => void table.restore() },
      isOf: 'screen',
    });
  }
  return (
    <div className="flex flex-wrap gap-2 phone:w-full phone:[&>*]:flex-1">
      {summary.urls > 0 && (
        <Button onClick={() => void standAfter(table.splitUrls())}>{t('splitUrls', { count: summary.urls })}</Button>
      )}
      {summary.bad > 0 && (
        <Button onClick={() => void standAfter(removeBad())}>{t('removeBad', { count: summary.bad })}</Button>
      )}
      <Button variant="primary" disabled={!isReady} loading={isStarting} onClick={onStart}>
        {t('start', { count: summary.total - summary.bad })}
      </Button>
    </div>
  );
}

/** An opened file: what it is, how it stands, what can be done at once, and its rows. */
export function OpenFileView(props: OpenFileProps) {
  const { table, file, check } = props;
  const t = useTranslations('imports');
  const [asked, setAsked] = useState<() => void>();
  const askBefore = (read: () => void) => (file.isMended ? setAsked(() => read) : read());
  const isHeld = isStartedOrMayBe(props);
  useEffect(() => {
    // What was pressed to open the file, or to leave it, is gone with its screen.
    findFocusAfter(false);
    return () => findFocusAfter(false);
  }, []);
  return (
    <div className="flex flex-col gap-4">
      <Card
        title={
          <span className="flex items-center gap-2 wrap-anywhere">
            <FileSpreadsheet size={18} className="shrink-0 text-muted" aria-hidden />
            {file.name}
          </span>
        }
        description={t('opened', { rows: file.summary.total })}
        actions={
          <Button icon={<Upload size={16} aria-hidden />} disabled={isHeld} onClick={() => askBefore(table.close)}>
            {t('actions.other')}
          </Button>
        }
      >
        <div inert={isHeld} className="grid grid-cols-1 gap-4 inert:opacity-70 sm:grid-cols-2">
          <SubscriptionField {...props} />
          <EncodingField table={table} file={file} askBefore={askBefore} />
        </div>
        <Obstacles {...props} />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <CheckStatus file={file} check={check} />
          <RowActions {...props} />
        </div>
      </Card>
      <div inert={isHeld} className="inert:opacity-70">
        <Preview key={file.name} table={table} file={file} />
      </div>
      <DiscardQuestion
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        onDiscard={() => asked?.()}
      />
    </div>
  );
}
