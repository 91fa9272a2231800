import type { Prefetch } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useListed } from '../../../domain/words/use-listed';
import { useCostWords } from '../cache-figures/cost-words';
import { groupProblems, type ProblemCause } from './group-problems';

const HOSTS_SHOWN = 3;

/** @param isAlone There is one node, which need not be named. */
function Cause({ cause, isAlone }: { cause: ProblemCause; isAlone: boolean }) {
  const t = useTranslations('caching.prefetch');
  const listed = useListed();
  const costWords = useCostWords();
  const { status, reason, hosts, devices, languages, nodes } = cause;
  const why =
    reason === '' && status === 0
      ? t('problem.silent')
      : reason === '' && status >= 400
        ? t('problem.status', { status: String(status) })
        : t('problem.unkept', { why: costWords({ cache: 'bypass', cache_reason: reason, status }).why });
  const said = [
    why,
    listed(hosts.slice(0, HOSTS_SHOWN), hosts.length),
    listed(devices.map((device) => t(`device.${device}`))),
    listed(languages),
    isAlone ? '' : listed(nodes),
  ].filter((part) => part !== '');
  return <span className="block text-muted wrap-anywhere">{said.join(' · ')}</span>;
}

/** URLs that were not kept, each with why and where. */
export function PrefetchProblems({ prefetch }: { prefetch: Prefetch }) {
  const t = useTranslations('caching.prefetch');
  const counted = prefetch.nodes.reduce((sum, { unkept, failed }) => sum + unkept + failed, 0);
  if (prefetch.problems.length === 0) return null;
  const left = counted - prefetch.problems.length;
  return (
    <section aria-label={t('problem.title')}>
      <h4 className="text-sm font-medium">{t('problem.title')}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <ul className="max-h-72 overflow-y-auto" tabIndex={0} aria-label={t('problem.title')}>
        {groupProblems(prefetch.problems).map(({ url, causes }) => (
          <li key={url} className="border-b border-line py-2 text-sm last:border-b-0">
            <span className="block font-mono wrap-anywhere">{url}</span>
            {causes.map((cause) => (
              <Cause key={`${cause.status} ${cause.reason}`} cause={cause} isAlone={prefetch.nodes.length === 1} />
            ))}
          </li>
        ))}
      </ul>
      {left > 0 && <p className="text-sm text-muted">{t('problem.more', { count: left })}</p>}
    </section>
  );
}
