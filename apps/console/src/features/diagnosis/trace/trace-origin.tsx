import type { Trace } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';

/** What the API writes for values that are not known, or not to be shown, here. */
const PLACEHOLDERS = { '{request id}': 'requestId', '{origin key}': 'originKey', '{secret}': 'secret' } as const;
const isPlaceholder = (value: string): value is keyof typeof PLACEHOLDERS => value in PLACEHOLDERS;

/** Which targets may get the request, and how they are asked. */
function Targets({ upstream }: { upstream: NonNullable<Trace['upstream']> }) {
  const t = useTranslations('diagnosis.trace.upstream');
  const format = useFormat();
  return (
    <Card title={t('title')}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        <dt className="text-muted">{t('protocol')}</dt>
        <dd className="font-mono">{upstream.protocol}</dd>
        <dt className="text-muted">{t('host')}</dt>
        <dd className="min-w-0 font-mono wrap-anywhere">{upstream.host_header}</dd>
        <dt className="text-muted">{t('targets')}</dt>
        <dd className="min-w-0">
          <ul className="flex flex-col gap-1">
            {upstream.targets.map((target) => (
              <li key={`${target.host} ${target.port}`} className="wrap-anywhere">
                <code className="font-mono">
                  {target.host.includes(':') ? `[${target.host}]` : target.host}:{target.port}
                </code>{' '}
                <span className="text-sm text-muted">
                  {target.backup ? t('backup') : t('share', { share: format.percent(target.share, 0) })}
                  {target.addresses.length > 0 && target.addresses[0] !== target.host && (
                    <> · {target.addresses.join(', ')}</>
                  )}
                </span>
                {target.refusal !== null && (
                  <span className="text-sm text-danger"> · {t(`refusal.${target.refusal}`)}</span>
                )}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
      <p className="mt-2 text-sm text-muted">{t('tries', { tries: upstream.tries })}</p>
    </Card>
  );
}

/** The header fields that reach the origin, and those that do not. */
function Fields({ trace }: { trace: Trace }) {
  const t = useTranslations('diagnosis.trace.origin');
  return (
    <Card title={t('title')} flush>
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full text-sm">
          <caption className="sr-only">{t('sent')}</caption>
          <thead>
            <tr className="bg-sunken text-left text-muted">
              <th scope="col" className="px-4 py-2 font-medium">
                {t('name')}
              </th>
              <th scope="col" className="px-3 py-2 font-medium">
                {t('value')}
              </th>
              <th scope="col" className="px-4 py-2 font-medium">
                {t('by')}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {trace.sent.map((field, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a field may come twice, and nothing moves
              <tr key={`${field.name} ${index}`} className="align-top">
                <th
                  scope="row"
                  className="px-4 py-1.5 text-left font-mono font-normal wrap-break-word sm:whitespace-nowrap"
                >
                  {field.name}
                </th>
                <td className="min-w-32 px-3 py-1.5 font-mono wrap-anywhere">
                  {isPlaceholder(field.value) ? (
                    <span className="font-sans text-muted">{t(PLACEHOLDERS[field.value])}</span>
                  ) : (
                    field.value
                  )}
                </td>
                <td className="px-4 py-1.5">
                  <Badge tone={field.by === 'edge' ? 'primary' : 'neutral'}>
                    {t(field.by === 'edge' ? 'fromEdge' : 'fromVisitor')}
                  </Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {trace.dropped.length > 0 && (
        <div className="border-t border-line px-4 py-3 text-sm">
          <h3 className="font-medium">{t('dropped')}</h3>
          <ul className="mt-1 flex flex-col gap-0.5">
            {trace.dropped.map((field, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a field may come twice, and nothing moves
              <li key={`${field.name} ${index}`} className="wrap-anywhere">
                <code className="font-mono">{field.name}</code>{' '}
                <span className="text-muted">{t(`why.${field.why}`)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}

export function TraceOrigin({ trace }: { trace: Trace }) {
  if (!trace.upstream) return null;
  return (
    <>
      <Targets upstream={trace.upstream} />
      <Fields trace={trace} />
    </>
  );
}
