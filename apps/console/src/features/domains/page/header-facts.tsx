import type { Route } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { siteUrl } from '../../../domain/model/site-url';
import { CopyButton } from '../../../ui/copy-button';
import { useFormat } from '../../../ui/format';
import { Skeleton } from '../../../ui/states';
import { ExternalTextLink } from '../../../ui/text-link';
import { Remarks } from './remarks';

/** Never wraps by what it says: a line that grows when the data arrive would push the tabs down. */
const lineClass = 'flex min-w-0 text-sm text-muted phone:flex-col sm:items-center sm:gap-x-4';
const partClass = 'flex h-8 min-w-0 items-center gap-x-4 touch:h-10';

function Cname({ route }: { route: Route }) {
  const t = useTranslations('domain');
  return (
    <span className="flex min-w-0 max-w-full items-center gap-1">
      <span className="shrink-0">CNAME</span>
      <code title={route.cname} className="min-w-0 truncate font-mono text-ink">
        {route.cname}
      </code>
      <CopyButton value={route.cname} label={t('page.copyCname')} copiedLabel={t('page.copied')} />
    </span>
  );
}

function Deployed({ route }: { route: Route }) {
  const t = useTranslations('domain.page');
  const format = useFormat();
  const who = useWho();
  const live = route.live_version;
  // The status says that it was never deployed.
  if (!live) return null;
  const time = format.relative(live.created_at);
  const text =
    live.created_by === null ? t('deployedAt', { time }) : t('deployedBy', { who: who(live.created_by), time });
  return (
    <span title={`${text} · ${format.dateTime(live.created_at)}`} className="min-w-0 truncate">
      {text}
    </span>
  );
}

/** What one needs to know or to take along on every tab. Two lines that are always there, so that nothing moves. */
export function HeaderFacts({ route }: { route: Route }) {
  const t = useTranslations('domain.page');
  const url = siteUrl(route);
  return (
    <>
      <div className={lineClass}>
        <div className={partClass}>
          <Cname route={route} />
          {url && (
            <ExternalTextLink href={url} target="_blank" rel="noreferrer" className="shrink-0">
              {t('openSite')}
            </ExternalTextLink>
          )}
        </div>
        <div className={clsx(partClass, 'sm:max-w-1/2 sm:shrink-0')}>
          <Deployed route={route} />
        </div>
      </div>
      <Remarks route={route} />
    </>
  );
}

/** The same two lines before they are known. */
export function HeaderFactsSkeleton() {
  return (
    <>
      <div className={lineClass}>
        <div className={partClass}>
          <Skeleton className="h-4 w-96 max-w-full" />
        </div>
        <div className={partClass}>
          <Skeleton className="h-4 w-48" />
        </div>
      </div>
      <div className={partClass}>
        <Skeleton className="h-4 w-40" />
      </div>
    </>
  );
}
