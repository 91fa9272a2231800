import clsx from 'clsx';
import { CloudOff, RefreshCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAway } from './away';
import { Button } from './button';
import { useFormat } from './format';
import { readSizes, rememberSize } from './list-sizes';
import { findFocusAfterRetry } from './lost-focus';
import { RequestId } from './request-id';
import { textLinkClass } from './text-link-class';

interface StateProps {
  icon?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** Nothing here yet: says what this place is for and what to do next. */
export function EmptyState({ icon, title, description, action, className }: StateProps) {
  return (
    <div className={clsx('flex flex-col items-center px-4 py-12 text-center', className)}>
      {icon && (
        <span className="mb-3 grid size-12 place-items-center rounded-full bg-soft text-primary-ink">{icon}</span>
      )}
      <p className="text-lg font-semibold text-balance">{title}</p>
      {description && <p className="mt-1 max-w-md text-muted text-pretty">{description}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  title?: ReactNode;
  /** Why, one line each, in the current language. */
  reasons: readonly string[];
  /** Nothing answered. */
  isOffline?: boolean;
  /** Shown with a copy button, for support. */
  requestId?: string;
  /** Where more can be found out. */
  help?: { href: string; label: string };
  onRetry?: () => void;
  /** In place of "Retry". */
  retryLabel?: string;
  isRetrying?: boolean;
  /** In one line: in place of a small part. */
  isLine?: boolean;
  className?: string;
}

/** Something failed: what, why, and Retry; on a screen above which a line says why and has Retry, only what. */
export function ErrorState({
  title,
  reasons,
  isOffline,
  requestId,
  help,
  onRetry,
  retryLabel,
  isRetrying,
  isLine,
  className,
}: ErrorStateProps) {
  const t = useTranslations('ui');
  const Icon = isOffline ? CloudOff : TriangleAlert;
  // Over a dialog there is no such line.
  const [isInMain, setInMain] = useState(false);
  const isQuiet = useAway() && isOffline && isInMain;
  return (
    <span
      ref={(element) => {
        if (element) setInMain(element.closest('#main') !== null);
      }}
      role="alert"
      className={clsx(
        'flex items-center gap-3 px-4',
        isLine ? 'flex-wrap py-2' : 'flex-col py-12 text-center',
        className,
      )}
    >
      <span className={clsx('rounded-full p-3', isQuiet ? 'bg-sunken text-muted' : 'bg-danger-soft text-danger')}>
        <Icon size={20} />
      </span>
      <span className={isLine ? 'min-w-0 flex-1 basis-40' : 'max-w-md'}>
        <span className={clsx('block font-semibold', isLine || 'text-lg')}>{title ?? t('error.title')}</span>
        {(isQuiet ? [] : reasons).map((reason) => (
          <span key={reason} className="mt-1 block text-muted wrap-anywhere">
            {reason}
          </span>
        ))}
      </span>
      {requestId && <RequestId id={requestId} />}
      {onRetry && !isQuiet && (
        <span className="flex flex-wrap justify-center gap-2">
          <Button
            data-retry
            size={isLine ? 'sm' : 'md'}
            icon={<RefreshCw size={16} />}
            loading={isRetrying}
            onClick={(event) => {
              findFocusAfterRetry(event.currentTarget);
              onRetry();
            }}
          >
            {retryLabel ?? t('retry')}
          </Button>
        </span>
      )}
      {help && (
        <a href={help.href} className={`${textLinkClass} reach mt-2`}>
          {help.label}
        </a>
      )}
    </span>
  );
}

export interface StaleLineProps {
  /** When what is shown was read, in milliseconds. */
  since: number;
  /** Why it could not be read again. */
  reasons: readonly string[];
  onRetry: () => void;
  isRetrying: boolean;
}

/**
 * Of what is shown but could not be read again: how old it is, why, and Retry. It stands last, at the lower edge of what
 * is in sight, so that nothing moves away from under the hand when it comes and goes.
 */
export function StaleLine({ since, reasons, onRetry, isRetrying }: StaleLineProps) {
  const t = useTranslations('ui');
  const format = useFormat();
  // The line over the screen says so.
  if (useAway()) return null;
  return (
    <div
      role="status"
      className="sticky bottom-0 z-10 flex min-h-14 flex-wrap items-center gap-2 rounded-card bg-warning-soft shadow-float px-4 py-2 text-sm text-warning peer-has-data-retry:hidden"
    >
      <span className="min-w-0 flex-1 wrap-anywhere">
        {t('error.stale', { time: format.time(since), reason: reasons.join(' ') })}
      </span>
      <Button size="sm" loading={isRetrying} onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  );
}

/** A grey shape in the place of what is being loaded. Give it the size of the thing. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton block', className)} />;
}

/**
 * How many lines a list had when this browser showed it last, for a skeleton as high as what comes; undefined of one that
 * it has not shown yet.
 */
export function useLastSize(list: string, size: number | undefined): number | undefined {
  useEffect(() => {
    if (size !== undefined) rememberSize(list, size);
  }, [list, size]);
  const isKnown = size !== undefined;
  return useMemo(() => (isKnown ? undefined : readSizes()[list]), [list, isKnown]);
}
