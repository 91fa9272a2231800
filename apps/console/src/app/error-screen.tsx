import { CloudOff, TriangleAlert } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../ui/copy-button';
import { useDocumentTitle } from '../ui/document-title';
import { InMain } from './in-main';

const icons = { broken: TriangleAlert, network: CloudOff };

interface ErrorScreenProps {
  icon?: keyof typeof icons | undefined;
  /** In place of the icon: the status of HTTP. */
  code?: string | undefined;
  title: string;
  /** What of it to know, by its name. */
  facts?: readonly { name: string; value: string }[];
  requestId?: string | undefined;
  /** Over it, where no shell is around it. */
  header?: ReactNode;
  /** Retry first, then the ways on. */
  actions: ReactNode;
  children: ReactNode;
}

/** In place of a screen: what went wrong, why, and the ways on. Takes the focus, so that it is read. */
export function ErrorScreen({
  icon = 'broken',
  code,
  title,
  facts = [],
  requestId,
  header,
  actions,
  children,
}: ErrorScreenProps) {
  const t = useTranslations('ui');
  useDocumentTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const isInMain = useContext(InMain);
  const Icon = icons[icon];
  const card = (
    <div className="flex w-full flex-col items-center rounded-card border border-line bg-card p-5 text-center sm:p-6">
      <span className="inline-flex h-12 min-w-12 items-center justify-center rounded-full bg-danger-soft px-3 text-lg font-semibold text-danger">
        {code ?? <Icon size={22} aria-hidden />}
      </span>
      <h1 ref={heading} tabIndex={-1} className="mt-4 text-2xl font-semibold tracking-tight outline-none">
        {title}
      </h1>
      <div className="mt-2 flex flex-col gap-1 text-muted wrap-anywhere text-pretty">{children}</div>
      {(facts.length > 0 || requestId) && (
        <dl className="mt-4 flex w-full flex-col gap-1 border-t border-line pt-4 text-left text-sm">
          {facts.map(({ name, value }) => (
            <div key={name} className="flex flex-wrap gap-x-3">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 font-mono wrap-anywhere">{value}</dd>
            </div>
          ))}
          {requestId && (
            <div className="flex flex-wrap items-center gap-x-3">
              <dt className="text-muted">{t('error.requestId')}</dt>
              <dd className="min-w-0 font-mono wrap-anywhere">
                {requestId}
                <CopyButton value={requestId} label={t('error.copyRequestId')} copiedLabel={t('copied')} />
              </dd>
            </div>
          )}
        </dl>
      )}
      <div className="mt-6 flex flex-wrap justify-center gap-2">{actions}</div>
    </div>
  );
  if (isInMain) return <div className="mx-auto w-full max-w-xl sm:py-6">{card}</div>;
  return (
    <div className="flex min-h-dvh flex-col">
      {header}
      <main className="mx-auto grid w-full max-w-xl flex-1 place-items-center px-4 py-6">{card}</main>
    </div>
  );
}
