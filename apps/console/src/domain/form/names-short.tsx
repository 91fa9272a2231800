import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { ExternalTextLink } from '../../ui/text-link';
import { Callout } from './callout';

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
