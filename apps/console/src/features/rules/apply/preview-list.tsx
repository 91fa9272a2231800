import { countChanged, type DraftReplay, diffConfigs, type PluginPreview } from '@cordon/contract';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { ChangeList } from '../../../domain/changes/lazy-change-list';
import { pluginConfig } from '../../../domain/changes/plugin-config';
import { pluginDefaults } from '../../../domain/changes/plugin-defaults';
import { mayStopMany, stopsMany, useDraftReplayWords } from '../../../domain/plugins/draft-replay-words';
import { useItemError } from '../../../domain/words/item-error';
import { Badge, StatusBadge } from '../../../ui/badge';
import { DottedText } from '../../../ui/dotted-text';
import { Pagination } from '../../../ui/pagination';
import { ErrorState, Skeleton } from '../../../ui/states';
import type { Applicable, PreviewPage, Selection, Shown } from './apply-types';
import type { PreviewReplays } from './preview-replay';

const PER_PAGE = 10;
/** So many are read at a glance; more are folded. */
const OPEN_MAX = 3;

/** The draft has it, and a deploy would bring it to visitors. */
const isInDraft = ({ error, changed, deploys, is_live }: PluginPreview): boolean =>
  error === null && changed.length === 0 && deploys && !is_live;
/** Of all domains there are nothing would come. */
const isNothing = ({ results, count }: PreviewPage): boolean =>
  results.length === count && results.every((preview) => preview.changed.length === 0 && !isInDraft(preview));

/** What of several replays is to be asked about before a deploy. */
function concernOf(replays: PreviewReplays): Shown {
  const told = Object.values(replays).filter((one) => one !== undefined);
  return told.some(stopsMany) ? 'stops' : told.some(mayStopMany) ? 'unknown' : 'changes';
}

/** What the entries of a list are. */
const kindOf = (entry: unknown) =>
  typeof entry !== 'object' || entry === null ? 'entry' : 'value' in entry ? 'header' : 'rule';

interface ListCount {
  readonly added: number;
  readonly removed: number;
  readonly before: number;
}

/** Entries of the lists that change, counted over all of them, by what they are. */
function countEntries({ before, after, lists }: PluginPreview): ReadonlyMap<ReturnType<typeof kindOf>, ListCount> {
  const counts = new Map<ReturnType<typeof kindOf>, ListCount>();
  for (const { plugin, field, change } of diffConfigs(pluginConfig(before), pluginConfig(after), pluginDefaults)) {
    if (change.kind !== 'list') continue;
    const kind = kindOf(change.added[0] ?? change.removed[0]);
    const counted = lists.find((list) => list.plugin === plugin && list.path === field);
    const had = before.plugins.find(({ name }) => name === plugin)?.config[field];
    const sum = counts.get(kind) ?? { added: 0, removed: 0, before: 0 };
    counts.set(kind, {
      added: sum.added + (counted?.added ?? change.added.length),
      removed: sum.removed + (counted?.removed ?? change.removed.length),
      before: sum.before + (counted?.before ?? (Array.isArray(had) ? had.length : 0)),
    });
  }
  return counts;
}

/** What happens to the lists of the domain, in numbers. */
function ListCounts({ preview, lists = 'replace' }: { preview: PluginPreview; lists: Applicable['lists'] }) {
  const t = useTranslations('apply.preview');
  return [...countEntries(preview)].map(([kind, { added, removed, before }]) => {
    const kept = before - removed;
    return (
      <span key={kind} className="text-sm text-muted tabular-nums">
        {kind !== 'entry'
          ? t('counted', { kind, added, removed })
          : lists === 'merge' || before === 0
            ? t('entriesAdded', { added, kept, covered: removed })
            : t('entriesReplaced', { before, after: kept + added })}
      </span>
    );
  });
}

/** What would become of the domain's recent requests, in lines of its own. */
function ReplayNote({ replayed }: { replayed: DraftReplay | undefined }) {
  const tReplay = useTranslations('domain.plugin.replay');
  const wordsOf = useDraftReplayWords();
  if (!replayed) return <span className="w-full text-sm text-muted">{tReplay('failed')}</span>;
  if (replayed.requests === 0) return null;
  const { counts, large, unchecked } = wordsOf(replayed);
  const { newly_blocked: blocked, newly_challenged: challenged, newly_passed: passed, unknown } = replayed;
  // The counts would say the same once more.
  const isSaid =
    large !== undefined && replayed.is_complete && passed + unknown === 0 && (blocked === 0 || challenged === 0);
  return (
    <span className="tabular flex w-full flex-col text-sm">
      {[large, unchecked].map(
        (one) =>
          one && (
            <strong key={one} className="font-semibold text-warning">
              {one}
            </strong>
          ),
      )}
      {!isSaid && <span className="text-muted">{counts}</span>}
    </span>
  );
}

function Outcome({ preview }: { preview: PluginPreview }) {
  const t = useTranslations('apply.preview');
  if (preview.error) return <StatusBadge tone="danger">{t('refused')}</StatusBadge>;
  if (isInDraft(preview)) return <StatusBadge tone="warning">{t('notLive')}</StatusBadge>;
  if (preview.changed.length === 0) return <StatusBadge tone="neutral">{t('unchanged')}</StatusBadge>;
  const changes = diffConfigs(pluginConfig(preview.before), pluginConfig(preview.after), pluginDefaults);
  return <StatusBadge tone="primary">{t('changes', { count: countChanged(changes) })}</StatusBadge>;
}

function Details({ preview }: { preview: PluginPreview }) {
  const t = useTranslations('apply.preview');
  const errorTexts = useItemError();
  if (preview.error)
    return (
      <ul className="text-danger">
        {errorTexts(preview.error).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    );
  return (
    <div className="flex flex-col gap-3">
      {preview.deploys && preview.also_deploys > 0 && (
        <p className="text-sm text-warning">{t('alsoDeploys', { count: preview.also_deploys })}</p>
      )}
      {preview.changed.length === 0 ? (
        <p className="text-muted">{t(isInDraft(preview) ? 'notLiveBody' : 'unchangedBody')}</p>
      ) : (
        <ChangeList before={pluginConfig(preview.before)} after={pluginConfig(preview.after)} lists={preview.lists} />
      )}
    </div>
  );
}

interface PreviewListProps {
  applicable: Applicable;
  selection: Selection;
  /** Until it shows what changes there is nothing to agree to. */
  onShown: (shown: Shown | undefined) => void;
}

/** What changes on each domain of the selection, in people's words, a page at a time. */
export function PreviewList({ applicable, selection, onShown }: PreviewListProps) {
  const t = useTranslations('apply.preview');
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: [...applicable.previewKey, selection, page],
    queryFn: ({ signal }) => applicable.preview(selection, { page, perpage: PER_PAGE }, signal),
    placeholderData: keepPreviousData,
    // Drafts change under it: what is shown is what is so now.
    staleTime: 0,
    gcTime: 0,
  });
  const { data: replays } = useQuery({
    queryKey: [...applicable.previewKey, selection, page, 'replay', query.dataUpdatedAt],
    queryFn:
      query.data && !query.isPlaceholderData
        ? async ({ signal }) =>
            (await import('./preview-replay')).replayPreviews(query.data.results, applicable.brought, signal)
        : skipToken,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = query.data && (isNothing(query.data) ? 'nothing' : concernOf(replays ?? {}));
  useEffect(() => {
    onShown(shown);
    return () => onShown(undefined);
  }, [shown, onShown]);
  if (query.error && !query.data)
    return (
      <ErrorState
        {...describeFailure(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  if (!query.data)
    return (
      <div className="flex flex-col gap-2" aria-busy>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  const { results, count } = query.data;
  const refused = results.filter(({ error }) => error !== null).length;
  return (
    <section aria-label={t('title')} aria-busy={query.isPlaceholderData}>
      <p className="mb-2 text-muted">
        {t('summary', { count })}
        {refused > 0 && ` · ${t('refusedHint', { count: refused })}`}
      </p>
      <ul className="divide-y divide-line rounded-control border border-line">
        {results.map((preview) => (
          <li key={preview.route_id}>
            <details className="group" open={results.length <= OPEN_MAX || preview.error !== null}>
              <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5 touch:min-h-10">
                <ChevronRight size={16} aria-hidden className="text-muted transition-transform group-open:rotate-90" />
                <span className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere text-balance">
                  <DottedText text={preview.domain_name_unicode} />
                </span>
                {!preview.error && !preview.deploys && <Badge>{t('staysOff')}</Badge>}
                {!preview.error && <ListCounts preview={preview} lists={applicable.lists} />}
                <Outcome preview={preview} />
                {replays && preview.route_id in replays && <ReplayNote replayed={replays[preview.route_id]} />}
              </summary>
              <div className="px-3 pt-1 pb-4 sm:pl-10">
                <Details preview={preview} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      {count > PER_PAGE && (
        <Pagination of={t('title')} page={page} perPage={PER_PAGE} count={count} onPageChange={setPage} />
      )}
    </section>
  );
}
