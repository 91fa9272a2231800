import type { Ownership } from '@cordon/contract';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../ui/copy-button';
import { DottedText } from '../../ui/dotted-text';

/** Where a domain's page shows the record to set. */
export const DNS_CARD_ID = 'dns-record';

/** One DNS record to copy, field by field, because providers ask for it field by field. */
export function DnsRecord({
  type,
  name,
  values,
  label,
}: {
  type: string;
  name: string;
  values: readonly string[];
  label: string;
}) {
  const t = useTranslations('domain.dns');
  const tUi = useTranslations('ui');
  const lines: [string, string][] = [
    [t('name'), name],
    ...values.map((value): [string, string] => [t('value'), value]),
  ];
  return (
    <section className="overflow-hidden rounded-control border border-line" aria-label={label}>
      <dl className="grid grid-cols-[auto_1fr]">
        <dt className="border-b border-line bg-sunken px-3 py-2 text-sm text-muted">{t('type')}</dt>
        <dd className="border-b border-line px-3 py-2 font-mono text-sm font-semibold">{type}</dd>
        {lines.map(([term, value], index) => (
          <Fragment key={`${term} ${value}`}>
            <dt
              className={
                index < lines.length - 1
                  ? 'flex items-center border-b border-line bg-sunken px-3 py-2 text-sm text-muted'
                  : 'flex items-center bg-sunken px-3 py-2 text-sm text-muted'
              }
            >
              {term}
            </dt>
            <dd
              className={
                index < lines.length - 1
                  ? 'flex min-w-0 items-center gap-1 border-b border-line py-1 pr-1 pl-3'
                  : 'flex min-w-0 items-center gap-1 py-1 pr-1 pl-3'
              }
            >
              <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">
                <DottedText text={value} />
              </span>
              <CopyButton value={value} label={tUi('copyNamed', { name: term })} copiedLabel={tUi('copied')} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** The record by which a name comes here; at an apex with IPv6 on, that of each kind of address. */
export function PointRecords({ ownership: { record, record_ipv6 } }: { ownership: Ownership }) {
  const t = useTranslations('domain.dns');
  return (
    <div className="flex flex-col gap-2">
      <DnsRecord type={record.type} name={record.name} values={record.value} label={t('record')} />
      {record_ipv6 && (
        <DnsRecord type={record_ipv6.type} name={record_ipv6.name} values={record_ipv6.value} label={t('recordIpv6')} />
      )}
    </div>
  );
}
