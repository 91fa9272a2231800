import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { CopyButton } from './copy-button';

/** Text to take away: a command, a DNS record, a key. Wraps by default; `scroll` keeps lines whole. */
export function CodeBlock({
  code,
  label,
  scroll,
  className,
}: {
  code: string;
  label?: string;
  scroll?: boolean;
  className?: string;
}) {
  const t = useTranslations('ui');
  return (
    <figure className={clsx('min-w-0 overflow-hidden rounded-control border border-line bg-sunken', className)}>
      {label && <figcaption className="border-b border-line px-3 py-1.5 text-sm text-muted">{label}</figcaption>}
      <div className="flex items-start gap-1 py-1.5 pr-2 pl-3">
        <pre
          tabIndex={scroll ? 0 : undefined}
          className={clsx(
            'min-w-0 flex-1 py-0.5 font-mono text-sm',
            scroll ? 'overflow-x-auto' : 'whitespace-pre-wrap wrap-anywhere',
          )}
        >
          <code>{code}</code>
        </pre>
        <CopyButton
          value={code}
          label={label ? t('copyNamed', { name: label }) : t('copy')}
          copiedLabel={t('copied')}
        />
      </div>
    </figure>
  );
}
