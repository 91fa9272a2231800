import clsx from 'clsx';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDocumentTitle } from './document-title';

export interface PageHeaderProps {
  title: ReactNode;
  /** What the browser's tab is called, innermost first; by default the title, where it is a text. */
  documentTitle?: readonly string[];
  description?: ReactNode;
  /** Lines below the title that are more than a sentence. */
  below?: ReactNode;
  /** Where one comes from, outermost first; links. */
  breadcrumb?: readonly ReactNode[];
  /** Badges after the title. */
  status?: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
}

/** From so many letters on a name has a line of its own, as on a phone: its trail and its status are not left alone on theirs. */
const LONG = 36;

/** The one heading of a screen, in line with where one comes from, its status and what to do. */
export function PageHeader(props: PageHeaderProps) {
  const { title, description, below, breadcrumb, status, actions } = props;
  const t = useTranslations('ui');
  useDocumentTitle(...(props.documentTitle ?? [typeof title === 'string' ? title : undefined]));
  const hasTrail = !!breadcrumb?.length;
  // On a phone it would wrap below the title or not by what it says: each change would move the page.
  const isBesideTrail = hasTrail && status;
  const isLong = (props.documentTitle?.at(-1) ?? '').length > LONG;
  return (
    <header className="pb-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-h-9 min-w-0 max-w-full flex-1 basis-72 flex-wrap items-center gap-x-3 gap-y-1">
          {hasTrail && (
            <nav aria-label={t('breadcrumb')} className="flex items-center gap-1.5 text-muted">
              {breadcrumb.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the trail has no other identity than its order
                <Fragment key={index}>
                  {part}
                  <span aria-hidden>/</span>
                </Fragment>
              ))}
            </nav>
          )}
          <h1
            tabIndex={-1}
            className={clsx(
              'text-2xl font-semibold tracking-tight wrap-anywhere outline-none phone:text-xl',
              isBesideTrail && (isLong ? 'order-last basis-full text-balance' : 'phone:order-last phone:basis-full'),
            )}
          >
            {title}
          </h1>
          {isBesideTrail ? <span className="flex min-w-0 items-center gap-x-3 phone:flex-1">{status}</span> : status}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2 phone:w-full phone:[&>*]:flex-1">{actions}</div>}
      </div>
      {description && <p className="mt-1 text-muted">{description}</p>}
      {below && <div className="mt-1 min-w-0">{below}</div>}
    </header>
  );
}
