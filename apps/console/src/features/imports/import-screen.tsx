import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { failureTexts } from '../../app/failure';
import { useSubscriptions } from '../../app/subscriptions';
import { BatchProgress } from '../../domain/batches/batch-progress';
import { seedBatch } from '../../domain/batches/first-items';
import { Callout } from '../../domain/form/callout';
import { Button, buttonClass } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/states';
import { Link } from '../../ui/text-link';
import { useUnsavedChanges } from '../../ui/unsaved-changes';
import { ColumnGuide } from './column-guide';
import { EarlierImports } from './earlier-imports';
import { FileProblem } from './file/sheet';
import { FileDrop } from './file-drop';
import { useFileProblemWords } from './problem-words';
import { useImportTable } from './use-import-table';
import { useRemoteCheck } from './use-remote-check';

/** Loaded while the file is read. */
const OpenFileView = lazyPart(async () => ({ default: (await import('./open-file')).OpenFileView }), true);

export interface ImportScreenProps {
  /** The import that is shown; its id lives in the URL, so that a reload loses nothing. */
  batchId: string | undefined;
  onBatchChange: (id: string | undefined) => void;
}

/** `/domain/import`: a file is chosen, looked at, mended, and imported; then the import is followed. */
export function ImportScreen({ batchId, onBatchChange }: ImportScreenProps) {
  const t = useTranslations('imports');
  return (
    <>
      <PageHeader
        title={t('title')}
        description={batchId === undefined && t('description')}
        breadcrumb={[
          <Link key="domains" to="/domain/list" className="reach">
            {t('domains')}
          </Link>,
        ]}
        actions={
          batchId !== undefined && (
            <>
              <Button onClick={() => onBatchChange(undefined)}>{t('actions.another')}</Button>
              <a href="#/domain/list" className={buttonClass('primary')}>
                {t('toDomains')}
              </a>
            </>
          )
        }
      />
      {batchId === undefined ? <NewImport onStarted={onBatchChange} /> : <BatchProgress named batchId={batchId} />}
    </>
  );
}

function NewImport({ onStarted }: { onStarted: (id: string) => void }) {
  const t = useTranslations('imports');
  const client = useQueryClient();
  const table = useImportTable();
  const { subscriptions, selected } = useSubscriptions();
  const [chosen, setChosen] = useState<string>();
  const [dropProblem, setDropProblem] = useState<FileProblem>();
  const [isDone, setDone] = useState(false);
  const problemWords = useFileProblemWords();
  const words = useTranslations('ui');
  const cname = chosen ?? selected?.cname;
  const check = useRemoteCheck(table, cname);
  const { file } = table;
  useUnsavedChanges(file !== undefined && !isDone);
  // The same rows sent twice are one import: a lost answer is asked for again by the same key.
  const key = useRef({ of: '', value: '' });
  const start = useMutation({
    mutationFn: async ({ to, edition }: { to: string; edition: number }) => {
      const of = `${to} ${edition}`;
      if (key.current.of !== of) key.current = { of, value: crypto.randomUUID() };
      const rows = await table.worker.call({ kind: 'sendable' });
      const { result } = await api.startImport({ body: { cname: to, rows }, idempotencyKey: key.current.value });
      return { batch: result, names: rows.map(({ domain_name }) => domain_name.trim().toLowerCase()) };
    },
    onSuccess: ({ batch, names }) => {
      seedBatch(client, batch, names);
      // At once: the router asks about unsaved changes before it leaves.
      flushSync(() => setDone(true));
      onStarted(batch.id);
    },
    meta: { isSilent: true },
  });
  if (!subscriptions || cname === undefined) return <Skeleton className="h-64 rounded-card" />;
  if (file)
    return (
      <Suspense fallback={<Skeleton className="h-64 rounded-card" />}>
        <OpenFileView
          table={table}
          file={file}
          check={check}
          subscriptions={subscriptions}
          cname={cname}
          onSubscriptionChange={setChosen}
          isStarting={start.isPending}
          startError={start.error}
          onStart={() => start.mutate({ to: cname, edition: file.edition })}
        />
      </Suspense>
    );
  const problem = table.problem ?? dropProblem;
  return (
    <div className="flex flex-col gap-4">
      {problem && (
        <Callout
          tone="danger"
          role="alert"
          actions={
            problem instanceof FileProblem ? undefined : (
              <Button onClick={() => void table.retry()}>{words('retry')}</Button>
            )
          }
        >
          {problem instanceof FileProblem ? problemWords(problem) : failureTexts(problem)}
        </Callout>
      )}
      <FileDrop
        isReading={table.isReading}
        onFile={(name, bytes) => {
          setDropProblem(undefined);
          void table.open(name, bytes);
        }}
        onText={(text) => {
          setDropProblem(undefined);
          void table.paste(t('pasted'), text);
        }}
        onProblem={(found) => {
          table.close();
          setDropProblem(found);
        }}
      />
      <ColumnGuide />
      <EarlierImports />
    </div>
  );
}
