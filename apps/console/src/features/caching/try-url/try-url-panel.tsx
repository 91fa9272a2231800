import type { CacheFetch, CacheTry, CacheTryNode, Route } from '@cordon/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { FetchResult } from './fetch-result';
import type { GivenUrl } from './given-url';
import { type TryBody, useFetchIntoCache, useTryCache } from './queries';
import { TryForm } from './try-form';
import { TryNodes } from './try-nodes';
import { isLookedFor, TryStory } from './try-story';

/** What was tried, as it was sent, with what nodes have of it by now. */
interface Tried {
  readonly body: TryBody;
  readonly result: CacheTry;
  readonly nodes: readonly CacheTryNode[];
  readonly at: number;
}

function Failure({ error }: { error: unknown }) {
  const standing = useStandingError(error, undefined);
  if (standing === null) return null;
  return failureTexts(standing).map((reason) => (
    <p key={reason} role="alert" className="text-sm text-danger">
      {reason}
    </p>
  ));
}

const hasObject = (nodes: readonly CacheTryNode[]) =>
  nodes.some(({ objects }) => objects !== null && Object.values(objects).some((object) => object !== null));

/** What the cache did with it, and what a node gets of it now. */
function Result({
  routeId,
  tried,
  onFetched,
}: {
  routeId: string;
  tried: Tried;
  onFetched: (fetch: CacheFetch) => void;
}) {
  const t = useTranslations('caching.tryUrl');
  const fetching = useFetchIntoCache(routeId);
  const { result, nodes, at, body } = tried;
  const isStored = hasObject(nodes);
  const listsTypes = result.policy !== null && result.policy.default_types.length > 0;
  return (
    <div className="flex flex-col gap-4" data-testid="tried">
      <TryStory routeId={routeId} result={result} />
      <section aria-label={t('nodes.title')} className="flex flex-col gap-2">
        <h3 className="text-sm font-medium">{t('nodes.title')}</h3>
        <TryNodes nodes={nodes} at={at} />
      </section>
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button
            loading={fetching.isPending}
            onClick={() => fetching.mutateAsync({ ...body, refresh: isStored }).then(onFetched, () => undefined)}
          >
            {t(isStored ? 'fetch.again' : 'fetch.once')}
          </Button>
          <span className="min-w-0 flex-1 basis-40 text-sm text-muted">
            {t(isLookedFor(result) ? 'fetch.hint' : 'fetch.hintUnkept')}
          </span>
        </div>
        {fetching.isError && <Failure error={fetching.error} />}
        {fetching.data && <FetchResult fetch={fetching.data} listsTypes={listsTypes} />}
      </div>
    </div>
  );
}

/** What the cache does with a URL and why, what each node has of it, and what comes when one fetches it. */
export function TryUrlPanel({ route, given }: { route: Route; given?: GivenUrl | undefined }) {
  const t = useTranslations('caching.tryUrl');
  const trying = useTryCache(route.id);
  const [tried, setTried] = useState<Tried>();
  const card = useRef<HTMLElement>(null);
  const isSuspended = route.suspension !== null;

  // Below what is wrong with one URL the result of another would be taken for its own.
  const turn = useRef(0);
  const forget = () => {
    turn.current++;
    setTried(undefined);
  };
  const send = (body: TryBody) => {
    const mine = ++turn.current;
    return trying.mutateAsync(body).then((result) => {
      if (mine === turn.current) setTried({ body, result, nodes: result.nodes, at: result.at });
    }, forget);
  };
  const refuse = () => {
    forget();
    trying.reset();
  };
  useEffect(() => {
    if (given) card.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  }, [given]);

  return (
    <Card ref={card} title={t('title')} description={t('description')} aria-label={t('title')} className="scroll-mt-4">
      {isSuspended || route.status === 'deactivated' ? (
        <p className="text-sm text-muted">{t(isSuspended ? 'not.suspended' : 'not.deactivated')}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <TryForm
            route={route}
            given={given}
            isPending={trying.isPending}
            error={trying.error}
            onSubmit={(body) => void send(body)}
            onRefused={refuse}
            onEdit={forget}
          />
          {tried && (
            <Result
              // What was fetched belongs to what was tried.
              key={JSON.stringify(tried.body)}
              routeId={route.id}
              tried={tried}
              onFetched={({ nodes, at }) => setTried({ ...tried, nodes, at })}
            />
          )}
        </div>
      )}
    </Card>
  );
}
