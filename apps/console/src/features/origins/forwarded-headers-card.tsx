import { type Route, UPSTREAM_PORTS } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { Card } from '../../ui/card';
import { SegmentedControl } from '../../ui/choice';
import { CodeBlock } from '../../ui/code-block';
import { ErrorState, Skeleton } from '../../ui/states';
import { originAccessOptions } from './queries';
import { SnippetPicker } from './snippet-picker';
import { addressSnippet, FIREWALLS, type FirewallKind, firewallSnippet } from './snippets';

const FIELDS = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Forwarded-Proto',
  'X-Forwarded-Host',
  'X-Request-Id',
  'Cordon-Country',
] as const;

/** Ports of the draft's targets, as a firewall must let them in. */
function portsOf({ draft }: Route): number[] {
  const { protocol, targets } = draft.upstreams;
  const ports = targets.flatMap(({ port }) =>
    port !== null
      ? [port]
      : protocol === 'http_https'
        ? [UPSTREAM_PORTS.http, UPSTREAM_PORTS.https]
        : [UPSTREAM_PORTS[protocol]],
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** Settings for the customer's own machines; loaded when they are opened. */
function Settings({ route }: { route: Route }) {
  const t = useTranslations('origins.forwarded');
  const query = useQuery(originAccessOptions(route.id));
  const [firewall, setFirewall] = useState<FirewallKind>('ufw');
  if (!query.data) {
    if (!query.isError) return <Skeleton className="h-40" />;
    return <ErrorState {...describeFailure(query.error)} onRetry={() => void query.refetch()} />;
  }
  const { addresses } = query.data;
  if (addresses.length === 0) return <p className="text-muted">{t('noAddresses')}</p>;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <CodeBlock code={addresses.join('\n')} label={t('addresses')} />
        <p className="mt-1.5 text-sm text-muted">{t('addressesHint')}</p>
      </div>
      <SnippetPicker label={t('setUp')} snippet={(server) => addressSnippet(server, addresses)} />
      <div className="flex flex-col gap-3">
        <h3 className="font-medium">{t('firewall')}</h3>
        <SegmentedControl
          label={t('firewallKind')}
          options={FIREWALLS.map((value) => ({ value, label: value }))}
          value={firewall}
          onValueChange={setFirewall}
          className="self-start"
        />
        <CodeBlock code={firewallSnippet(firewall, addresses, portsOf(route))} label={firewall} scroll />
        <p className="text-sm text-muted">{t('firewallHint')}</p>
      </div>
    </div>
  );
}

/** Header fields that carry the visitor's address and request to the origin, and how to trust them there. */
export function ForwardedHeadersCard({ route }: { route: Route }) {
  const t = useTranslations('origins.forwarded');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t('title')} description={t('body')} flush>
      <div className="grid items-start gap-6 px-4 pb-4 lg:grid-cols-2">
        <details className="min-w-0">
          <summary className="reach font-medium text-primary-ink">{t('list')}</summary>
          <dl className="mt-3 grid gap-x-6 gap-y-1.5 sm:grid-cols-[auto_1fr]">
            {FIELDS.map((field) => (
              <div key={field} className="contents">
                <dt className="font-mono text-sm">{field}</dt>
                <dd className="text-muted phone:mb-1.5">{t(`fields.${field}`)}</dd>
              </div>
            ))}
          </dl>
        </details>
        <details className="min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="reach font-medium text-primary-ink">{t('show')}</summary>
          <div className="mt-4">{isOpen && <Settings route={route} />}</div>
        </details>
      </div>
    </Card>
  );
}
