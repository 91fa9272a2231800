import type { Route } from '@cordon/contract';
import { Route as RouteIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, fieldTexts } from '../../../app/failure';
import { Callout } from '../../../domain/form/callout';
import { Card } from '../../../ui/card';
import { EmptyState, Skeleton } from '../../../ui/states';
import { LoggedRequestCard } from './logged-request';
import { useFindLogged, useTraceRequest } from './queries';
import { TraceForm } from './trace-form';
import { TraceOrigin } from './trace-origin';
import { TracePipeline } from './trace-pipeline';
import { fromLogged, type LoggedRequest, type TraceValues, toBody } from './trace-values';
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
  const wasSubmitted = useRef(!isOfLink);
  const run = (next: TraceValues) => trace.mutate(toBody(next));
  const find = (id: string) =>
    found.mutate(id, {
      onSuccess: (logged) => {
        if (!logged) return;
        const next = fromLogged(initialValues(route), logged);
        setValues(next);
        setReplayed(logged);
        run(next);
      },
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id in the URL is looked up once; another id is another panel
  useEffect(() => {
    if (requestId !== undefined) find(requestId);
  }, []);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Below or above the form on a phone: without this nothing seems to happen.
    const { top = 0, bottom = 0 } = result.current?.getBoundingClientRect() ?? {};
    if (trace.data && wasSubmitted.current && (top > window.innerHeight || bottom < 0))
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
        // What was traced is another request now.
        trace.reset();
      }}
      onSubmit={() => {
        wasSubmitted.current = true;
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
      trace={replayed && trace.data}
      onFind={find}
    />
  );
  const shown = (
    <div ref={result} className="flex min-w-0 scroll-mt-20 flex-col gap-4 lg:row-span-2">
      {trace.error && !hasFieldErrors && (
        <Callout tone="danger" role="alert">
          {describeFailure(trace.error).reasons.join(' ')}
        </Callout>
      )}
      {trace.data ? (
        <>
          <TracePipeline trace={trace.data} route={route} logged={replayed} />
          <TraceOrigin trace={trace.data} />
        </>
      ) : (
        <Card>
          <EmptyState icon={<RouteIcon size={22} aria-hidden />} title={t('pipeline')} description={t('empty')} />
        </Card>
      )}
    </div>
  );
  const happened = replayed && (
    <div className="min-w-0 lg:col-span-2">
      <WhatHappened key={replayed.request_id} logged={replayed} route={route} onDeploy={onDeploy} />
    </div>
  );
  if (isOfLink)
    return (
      <div className="grid items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_1fr]">
        {happened ?? (found.data !== null && <Skeleton className="h-32 w-full lg:col-span-2" />)}
        <div className="min-w-0">{logged}</div>
        {shown}
        <div className="min-w-0 lg:col-start-1">{form}</div>
      </div>
    );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      {happened}
      <div className="flex min-w-0 flex-col gap-4">
        {logged}
        {form}
      </div>
      {shown}
    </div>
  );
}
