import type { Receipt, Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { receiptOptions } from '../../../domain/data/queries';
import { GroupLabel } from '../../../domain/display/group-label';
import { dnsFinding } from '../../../domain/health/dns-finding';
import { certificateState } from '../../../domain/model/certificate-state';
import { isOperationRunning } from '../../../domain/model/domain-state';
import { siteUrl } from '../../../domain/model/site-url';
import { receiptText } from '../../../domain/words/receipt-text';
import { CopyButton } from '../../../ui/copy-button';
import { DottedText } from '../../../ui/dotted-text';
import { useFormat } from '../../../ui/format';
import { useNow } from '../../../ui/now';
import { Skeleton } from '../../../ui/states';
import { ExternalTextLink } from '../../../ui/text-link';

/** What comes late never wraps by what it says: it would push the tabs down. */
const lineClass = 'flex min-w-0 flex-wrap items-center gap-x-4 text-sm text-muted';
const cnameClass = 'flex min-w-0 max-w-full items-center gap-1 min-h-8 touch:min-h-10';
const partClass = 'flex min-h-7 items-center gap-x-4';
/**
 * In line where there is room for the most of it, which does not hang on what it says. On a phone beside the link to the site:
 * what takes long to say, and what other places say there, is left out.
 */
const liveClass = 'h-7 min-w-0 flex-1 basis-72 overflow-hidden leading-7 phone:flex-1';
/** What does not fit is left out whole, and is not cut within a word: it is in a next line, which is not shown. */
const livePart = 'inline-block max-w-full truncate align-bottom';

/** How long the certificate still holds; says nothing where there is none and none is missed. */
function Certificate({ route }: { route: Route }) {
  const t = useTranslations('domain.page.tls');
  const format = useFormat();
  const { word, days, tone } = certificateState(route, useNow());
  if (word === 'unknown' || word === 'demo' || word === 'none') return null;
  const end = route.certificate_expires_at;
  return (
    <span
      title={end === null ? undefined : format.dateTime(end)}
      className={tone && (tone === 'danger' ? 'text-danger' : 'text-warning')}
    >
      {t(word, { days })}
    </span>
  );
}

/**
 * Whether the name points here; turns green without a reload, because the page keeps asking while it does not. What the
 * badge of the health beside the name tells of it is not told again.
 */
function Dns({ route }: { route: Route }) {
  const t = useTranslations('domain.dns.badge');
  const { ownership } = route;
  const isVerified = ownership.state === 'verified';
  if (dnsFinding(route)) return null;
  return (
    <span role="status" className={isVerified ? undefined : 'text-warning'}>
      {t(isVerified ? (ownership.method === 'demo' ? 'demo' : 'verified') : 'pending')}
    </span>
  );
}

function LiveSkeleton() {
  return (
    <span className={liveClass}>
      <Skeleton className="h-4 w-56 max-w-full" />
    </span>
  );
}

/** On how many nodes the live version is, how fast it got there, when and by whom. */
function Live({ route }: { route: Route }) {
  const t = useTranslations('domain.page');
  const words = useTranslations('domain');
  const format = useFormat();
  const who = useWho();
  const tSummary = useTranslations('domain.receipt.summary');
  const summary = (receipt: Receipt) => receiptText(receipt, tSummary, format);
  const now = useNow();
  const live = route.live_version;
  const { data: receipt, isLoading } = useQuery({ ...receiptOptions(route.id), enabled: live !== null });
  if (!live) return <span className={liveClass} />;
  // All of it at once: what the receipt says stands before when it was.
  if (isLoading) return <LiveSkeleton />;
  // What was live before is no news while the next one is on its way.
  if (isOperationRunning(route))
    return (
      <span className={liveClass} aria-live="polite">
        {receipt?.state === 'running' && summary(receipt)}
      </span>
    );
  const when = {
    who: live.created_by === null ? '' : who(live.created_by),
    ago: format.relative(live.created_at, now),
  };
  // Who took it off or brought it back is not who deployed what it serves.
  const isOther = receipt?.action === 'deactivate' || receipt?.action === 'resume';
  const happened = isOther
    ? t(`${receipt.action as 'resume'}dAt`, { ago: format.relative(receipt.committed_at, now) })
    : t(live.created_by === null ? 'deployedAt' : 'deployedBy', when);
  const text = receipt ? `${summary(receipt)} · ${happened}` : happened;
  const moreClass = clsx(livePart, receipt && 'phone:hidden');
  const isBy = !isOther && live.created_by !== null;
  return (
    <span
      title={`${text} · ${format.dateTime(isOther ? receipt.committed_at : live.created_at)}`}
      className={liveClass}
    >
      <span className="sm:hidden">{words('version', { version: live.version })} · </span>
      <span aria-live="polite" className={livePart}>
        {receipt && summary(receipt)}
      </span>
      {receipt && ' '}
      <span className={moreClass}>
        {receipt && '· '}
        {isBy ? t('ago', when) : happened}
      </span>
      {isBy && ' '}
      {isBy && <span className={moreClass}>{t('by', when)}</span>}
    </span>
  );
}

function Cname({ cname }: { cname: string }) {
  const t = useTranslations('domain.page');
  return (
    <span className={cnameClass}>
      <code className="min-w-0 font-mono wrap-anywhere text-ink">
        <DottedText text={cname} />
      </code>
      <CopyButton value={cname} label={t('copyCname')} copiedLabel={t('copied')} />
    </span>
  );
}

/** What one needs to know or to take along on every tab. */
export function HeaderFacts({ route }: { route: Route }) {
  const t = useTranslations('domain.page');
  const url = siteUrl(route);
  const isUnicode = route.domain_name_unicode !== route.domain_name;
  return (
    <div className={lineClass}>
      <Cname cname={route.cname} />
      {/* What is empty would still have the room beside it. */}
      <span className={clsx(partClass, !url && !isUnicode && 'phone:hidden')}>
        {isUnicode && (
          <span className="min-w-0 font-mono wrap-anywhere">
            <DottedText text={route.domain_name} />
          </span>
        )}
        {url && (
          <ExternalTextLink href={url} className="reach whitespace-nowrap">
            {t('openSite')}
          </ExternalTextLink>
        )}
        <span className="contents phone:hidden">
          <Dns route={route} />
          <Certificate route={route} />
          <GroupLabel groupId={route.group_id} />
        </span>
      </span>
      <Live route={route} />
    </div>
  );
}

/** The same lines before they are known, but for the CNAME, which a list may have shown. */
export function HeaderFactsSkeleton({ cname }: { cname: string | undefined }) {
  return (
    <div className={lineClass}>
      {cname ? (
        <Cname cname={cname} />
      ) : (
        <span className={cnameClass}>
          <Skeleton className="h-4 w-96 max-w-full" />
        </span>
      )}
      <span className={partClass}>
        <Skeleton className="h-4 w-24" />
      </span>
      <LiveSkeleton />
    </div>
  );
}
