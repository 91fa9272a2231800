import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';

export interface PageHeaderProps {
  title: ReactNode;
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

/** The one heading of a screen. */
export function PageHeader({ title, description, below, breadcrumb, status, actions }: PageHeaderProps) {
  const t = useTranslations('ui');
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-5">
      {/* Long lines below the title give way to the buttons beside it. */}
      <div className={clsx('min-w-0 max-w-full', below && 'flex-1 basis-96')}>
        {breadcrumb && breadcrumb.length > 0 && (
          <nav aria-label={t('breadcrumb')} className="mb-1 flex flex-wrap items-center gap-1 text-sm text-muted">
            {breadcrumb.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the trail has no other identity than its order
              <Fragment key={index}>
                {index > 0 && <ChevronRight size={14} aria-hidden />}
                {part}
              </Fragment>
            ))}
          </nav>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight wrap-anywhere outline-none">
            {title}
          </h1>
          {status}
        </div>
        {description && <p className="mt-1 text-muted">{description}</p>}
        {below && <div className="mt-1.5 min-w-0">{below}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 phone:w-full phone:[&>*]:flex-1">{actions}</div>}
    </header>
  );
}
