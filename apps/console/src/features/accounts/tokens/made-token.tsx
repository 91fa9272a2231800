import type { TokenScope } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { routeListOptions, routeOptions } from '../../../domain/data/queries';
import { TOKEN_VARIABLE } from '../../../domain/display/curl-post';
import { Callout } from '../../../domain/form/callout';
import { CodeBlock } from '../../../ui/code-block';
import { focusFirst } from '../../../ui/lead-to-error';
import { Skeleton } from '../../../ui/states';
import { curlExample, needsDomain, triedCallOf } from './curl-example';
import type { Preset } from './token-scopes';

/** Stands for the id of a domain where the account has none. */
const NO_DOMAIN = 'DOMAIN_ID';
/** Of so many one has a name that paths belong to: `*.example.com` has none. */
const OFFERED = 10;

/** The domain that a token is tried with: the one whose page has led here, or else one of the account that is deployed. */
export function useTriedDomain(id: string | undefined) {
  const own = useQuery({ ...routeOptions(id ?? ''), enabled: id !== undefined });
  const query = { status: 'running', perpage: OFFERED } as const;
  const isElsewhere = id === undefined || own.isError;
  const list = useQuery({ ...routeListOptions(query), enabled: isElsewhere });
  const deployed = list.data?.results.filter(({ version_live }) => version_live !== null) ?? [];
  const some = deployed.find(({ domain_name }) => !domain_name.startsWith('*')) ?? deployed[0];
  return { domain: own.data ?? some, isPending: isElsewhere ? list.isPending : own.isPending };
}

interface MadeTokenProps {
  secret: string;
  scopes: readonly TokenScope[];
  preset: Preset;
  tried: ReturnType<typeof useTriedDomain>;
}

/** The secret, this once, and a call to try it with. */
export function MadeToken({ secret, scopes, preset, tried: { domain, isPending } }: MadeTokenProps) {
  const t = useTranslations('accounts.tokens.made');
  const element = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => focusFirst(element.current, ['[data-copy]']), []);
  const call = triedCallOf(scopes, preset);
  // As a path it would be that of all aliases, too; with an asterisk a name has none.
  const homePage = domain && !domain.domain_name.startsWith('*') ? `https://${domain.domain_name}/` : undefined;
  return (
    <div ref={element} className="flex flex-col gap-4">
      <Callout tone="warning" role="status">
        {t('once')}
      </Callout>
      <CodeBlock code={secret} label={t('secret')} />
      {needsDomain(call) && isPending ? (
        <Skeleton className="h-48" />
      ) : (
        <div>
          <p className="mb-2 text-sm text-muted">
            {t('try', { variable: TOKEN_VARIABLE })}{' '}
            {needsDomain(call) &&
              (domain ? t(call, { name: domain.domain_name_unicode }) : t('noDomain', { id: NO_DOMAIN }))}
          </p>
          <CodeBlock code={curlExample(call, domain?.id ?? NO_DOMAIN, homePage)} label="curl" />
        </div>
      )}
    </div>
  );
}
