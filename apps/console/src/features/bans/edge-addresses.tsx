import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Card } from '../../ui/card';
import { SegmentedControl } from '../../ui/choice';
import { CodeBlock } from '../../ui/code-block';
import { Skeleton } from '../../ui/states';
import { edgeAddressesOptions } from './allowed/queries';

/** What a customer lets through at the origin, to be copied. */
export default function EdgeAddresses() {
  const t = useTranslations('bans.allowList.edgeIps');
  const [format, setFormat] = useState<'text' | 'json'>('text');
  const { data, isError } = useQuery(edgeAddressesOptions);
  return (
    <Card
      title={data === undefined ? '\u00a0' : t('count', { count: data.length })}
      actions={
        <SegmentedControl
          label={t('format')}
          options={[
            { value: 'text', label: t('text') },
            { value: 'json', label: t('json') },
          ]}
          value={format}
          onValueChange={setFormat}
        />
      }
    >
      {data === undefined ? (
        isError ? (
          <p className="text-muted">{t('failed')}</p>
        ) : (
          <Skeleton className="h-9 w-full touch:h-10" />
        )
      ) : data.length === 0 ? (
        <p className="text-muted">{t('none')}</p>
      ) : (
        <CodeBlock code={format === 'text' ? data.join('\n') : JSON.stringify(data, null, 2)} />
      )}
    </Card>
  );
}
