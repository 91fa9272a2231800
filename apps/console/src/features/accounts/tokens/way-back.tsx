import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { routeOptions } from '../../../domain/data/queries';
import { Skeleton } from '../../../ui/states';
import { Link } from '../../../ui/text-link';
import type { Preset } from './token-scopes';

/** Leads to the panel of the Caching tab from which a token was asked for. */
export function WayBack({ domainId, preset }: { domainId: string; preset: Preset | undefined }) {
  const t = useTranslations('accounts.tokens');
  const { data: domain, isError } = useQuery(routeOptions(domainId));
  // One that is not there any more is no way.
  if (isError) return null;
  const panel = preset === 'clear' || preset === 'prefetch' ? { panel: preset } : {};
  return domain ? (
    <p className="mb-3 wrap-anywhere">
      <Link to="/domain/list/$id" params={{ id: domainId }} search={{ tab: 'caching', ...panel }} className="reach">
        <ArrowLeft size={12} aria-hidden className="inline-block align-[-1px]" />{' '}
        {t('back', { name: domain.domain_name_unicode })}
      </Link>
    </p>
  ) : (
    <Skeleton className="mb-3 h-5 w-64" />
  );
}
