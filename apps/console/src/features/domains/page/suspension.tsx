import type { Suspension } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../../app/brand';
import { textLinkClass } from '../../../ui/text-link-class';

/** Why the provider has suspended it, and whom to write to. */
export function SuspensionReason({ suspension }: { suspension: Suspension }) {
  const t = useTranslations('domain.suspension');
  const { support_email: email } = useBrand();
  return (
    <>
      <p className="wrap-anywhere text-ink">{t('reason', { reason: suspension.reason })}</p>
      <p className="mt-1 wrap-anywhere">
        {email === ''
          ? t('contactSupport')
          : t.rich('contact', {
              link: () => (
                <a className={textLinkClass} href={`mailto:${email}`}>
                  {email}
                </a>
              ),
            })}
      </p>
    </>
  );
}
