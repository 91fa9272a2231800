import type { Subscription } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { ExternalTextLink } from '../../ui/text-link';
import { Callout } from './callout';

/** How many names the subscription still has room for. */
export const namesLeft = ({ features, additional_domain_number: more, usage }: Subscription): number =>
  Math.max(0, features.domains + more - usage.domains);

/** The plan has too few names left for what is asked: how many, and how to get more. */
export function NamesShort({ children }: { children: ReactNode }) {
  const t = useTranslations('domain.upgrade');
  const { support_email: email } = useBrand();
  return (
    <Callout tone="danger" role="status">
      <p>{children}</p>
      {email !== '' && (
        <p className="mt-1 text-ink">
          {t.rich('contact', { link: () => <ExternalTextLink href={`mailto:${email}`}>{email}</ExternalTextLink> })}
        </p>
      )}
    </Callout>
  );
}
