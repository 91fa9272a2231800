import type { Route, Trace } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { describeFailure, fieldTexts } from '../../../app/failure';
import { Callout } from '../../../domain/form/callout';
import { pluginCatalogsOptions } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { joinSentences } from '../../../ui/sentences';
import { Skeleton } from '../../../ui/states';
import { LoggedRequestCard } from './logged-request';
import { useFindLogged, useTraceRequest } from './queries';
import { TraceForm } from './trace-form';
import { TraceOrigin } from './trace-origin';
import { TracePipeline } from './trace-pipeline';
import { endsAtBan, fromLogged, isReplayable, type LoggedRequest, type TraceValues, toBody } from './trace-values';
import { WhatHappened } from './what-happened';

const initialValues = (route: Route): TraceValues => ({
  method: 'GET',
  url: '/',
  headers: '',
  client: '',
  country: '',
  asn: '',
  isCrawler: false,
  isPreview: route.ownership.state === 'pending',
  version: route.version_live === null ? 'draft' : 'live',
});

/** Errors of one header stand at the field that holds them all. */
function fieldErrors(error: unknown): Record<string, string> {
  const texts = fieldTexts(error);
  const header = Object.entries(texts).find(([path]) => path.startsWith('headers'));
  return header ? { ...texts, headers: header[1] } : texts;
}

interface TracePanelProps {
  route: Route;
  requestId: string | undefined;
  onDeploy: () => void;
}

/** A request, made up or logged, and what each step of the edge would do with it. */
export default function TracePanel({ route, requestId, onDeploy }: TracePanelProps) {
  const t = useTranslations('diagnosis.trace');
  const [values, setValues] = useState(() => initialValues(route));
  const trace = useTraceRequest(route.id);
  const found = useFindLogged(route.id);
  // The request of a link is what it is about: its form comes second, and nothing scrolls past what happened then.
  const isOfLink = requestId !== undefined;
  /** The logged request that is traced, until the form asks for another. */
  const [replayed, setReplayed] = useState<LoggedRequest>();
  const [isFormOpen, setFormOpen] = useState(false);
  /** The form describes another request than the one that was traced. */
  const [isChanged, setChanged] = useState(false);
  // What was traced last stays while the next is on its way: nothing jumps under the hands.
  const last = useRef<Trace>(undefined);
  if (trace.data) last.current = trace.data;
  const traced = trace.data ?? last.current;
  /** What was traced last. */
  const [ran, setRan] = useState<TraceValues>();
  const run = (next: TraceValues) =>
    trace.mutate(toBody(next), {
      onSuccess: () => {
        setRan(next);
        setChanged(false);
        setFormOpen(false);
      },
      onError: () => setFormOpen(true),
    });
  const find = (id: string) =>
    found.mutate(id, {
      onSuccess: (logged) => {
        if (!logged) return;
        const next = fromLogged(initialValues(route), logged);
        setValues(next);
        setReplayed(logged);
        if (isReplayable(logged)) run(next);
        else {
          last.current = undefined;
          trace.reset();
        }
      },
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id in the URL is looked up once; another id is another panel
  useEffect(() => {
    if (requestId !== undefined) find(requestId);
  }, []);
  /** What would become of the logged request by now. */
  function runAgain() {
    if (!replayed || isChanged || !isReplayable(replayed)) return;
    const next = { ...values, version: 'live' };
    setValues(next);
    run(next);
  }
  const tracedVersion = useRef(route.version_live);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version asks again what becomes of the request
  useEffect(() => {
    if (tracedVersion.current === route.version_live) return;
    tracedVersion.current = route.version_live;
    runAgain();
  }, [route.version_live]);
  const result = useRef<HTMLDivElement>(null);
  const isSubmitted = useRef(false);
  useEffect(() => {
    if (!trace.data || !isSubmitted.current) return;
    isSubmitted.current = false;
    // The form that had the focus is folded.
    result.current?.focus({ preventScroll: true });
    result.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  }, [trace.data]);
  const errors = trace.error ? fieldErrors(trace.error) : {};
  const hasFieldErrors = Object.keys(errors).length > 0;
  const form = (
    <TraceForm
      route={route}
      values={values}
      errors={errors}
      isRunning={trace.isPending}
      onChange={(next) => {
        setValues(next);
        if (trace.error) trace.reset();
        setChanged(true);
      }}
      onSubmit={() => {
        isSubmitted.current = true;
        setReplayed(undefined);
        run(values);
      }}
    />
  );
  const logged = (
    <LoggedRequestCard
      initialId={requestId ?? ''}
      logged={found.data}
      isLoading={found.isPending}
      failure={found.error}
      trace={replayed && trace.data}
      onFind={find}
    />
  );
  const words = useQuery(pluginCatalogsOptions(useLocale()));
  const hasResult = traced !== undefined || replayed !== undefined;
  const isAwaited = isOfLink && !hasResult && found.data !== null && !found.error && !trace.error;
  /** What happened, its exceptions and the steps come together: none of them moves another. */
  const isHeld = replayed !== undefined && (words.isPending || (traced === undefined && trace.isPending));
  return (
    <div className="flex flex-col gap-4">
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <div
          ref={result}
          tabIndex={-1}
          hidden={!hasResult && !isAwaited && !trace.error}
          className="flex min-w-0 flex-col gap-4 outline-none"
        >
          {replayed && !isHeld && (
            <WhatHappened
              key={replayed.request_id}
              logged={replayed}
              route={route}
              isBanned={traced !== undefined && endsAtBan(traced)}
              onDeploy={onDeploy}
              onInstant={runAgain}
            />
          )}
          {(isAwaited || isHeld) && <Skeleton className="h-96 w-full" />}
          {trace.error && !hasFieldErrors && (
            <Callout tone="danger" role="alert">
              {joinSentences(describeFailure(trace.error).reasons)}
            </Callout>
          )}
          {traced && !isHeld && (
            <div
              className={clsx(
                'grid items-start gap-4 transition-opacity',
                traced.upstream && 'lg:grid-cols-2',
                isChanged && 'opacity-60',
              )}
            >
              <TracePipeline trace={traced} route={route} logged={replayed} made={replayed ? undefined : ran} />
              {traced.upstream && (
                <div className="flex min-w-0 flex-col gap-4">
                  <TraceOrigin trace={traced} />
                </div>
              )}
            </div>
          )}
        </div>
        {hasResult && !isHeld && (
          <Button
            aria-expanded={isFormOpen}
            icon={<ChevronDown size={16} aria-hidden />}
            onClick={() => setFormOpen(!isFormOpen)}
            className="self-start"
          >
            {t('another')}
          </Button>
        )}
      </Suspense>
      <div hidden={isAwaited || (hasResult && !isFormOpen)}>
        <div className="flex flex-col gap-4">
          {logged}
          {form}
        </div>
      </div>
    </div>
  );
}
