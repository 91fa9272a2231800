import type { CacheFetch } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../../ui/format';
import { useCostWords } from '../cache-figures/cost-words';
import { useSpan } from './use-span';

/** What was decided about the answer, in one sentence, and what could be done about it. */
export function useFetchWords(
  listsTypes: boolean,
): (fetch: CacheFetch) => { said: string; advice: string | undefined } {
  const t = useTranslations('caching.tryUrl.fetch');
  const span = useSpan();
  const costWords = useCostWords();
  return ({ status, cache }) => {
    const plain = (said: string) => ({ said, advice: undefined });
    if (status === null) return plain(t('late'));
    if (cache === null) return plain(t('uncached'));
    const { is_hit, is_stored, forward, forward_status, ttl, detail } = cache;
    const time = span(ttl ?? 0);
    if (is_hit) return plain(ttl !== null && ttl > 0 ? t('hit', { time }) : t('hitStale'));
    if (is_stored) return plain(ttl !== null && ttl > 0 ? t('stored', { time }) : t('storedStale'));
    const reason = detail ?? (forward === 'method' || forward === 'request' ? forward : '');
    if (reason === '') return plain(t('unstored'));
    const { why, advice } = costWords({
      cache: '',
      cache_reason: reason,
      status: forward_status ?? status,
      listsTypes,
    });
    const isPassed = forward === 'bypass' || detail === null;
    return { said: t(isPassed ? 'passed' : 'unstoredWhy', { why }), advice };
  };
}

const MISSING = '–';

/** What a node got for its own request. */
export function FetchResult({ fetch, listsTypes }: { fetch: CacheFetch; listsTypes: boolean }) {
  const t = useTranslations('caching.tryUrl.fetch');
  const format = useFormat();
  const span = useSpan();
  const { said, advice } = useFetchWords(listsTypes)(fetch);
  const { status, cache_control, vary, content_type, content_encoding, sets_cookie, age, bytes, milliseconds } = fetch;
  const facts: readonly (readonly [string, string])[] =
    status === null
      ? []
      : [
          [t('status'), String(status)],
          ['Cache-Control', cache_control || MISSING],
          ['Content-Type', content_type || MISSING],
          ['Vary', vary || MISSING],
          ['Set-Cookie', t(sets_cookie ? 'yes' : 'no')],
          ...(content_encoding === '' ? [] : [['Content-Encoding', content_encoding] as const]),
          ...(age === null ? [] : [['Age', span(age)] as const]),
          [t('size'), format.bytes(bytes)],
          [t('time'), format.duration(Math.ceil(milliseconds))],
        ];
  return (
    <div className="flex flex-col gap-2 rounded-control bg-sunken p-4">
      <p role="status">
        <span className="font-medium">{t('by', { node: fetch.node, said })}</span>{' '}
        {advice !== undefined && <span className="text-muted">{advice}</span>}
      </p>
      {facts.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 font-mono wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
