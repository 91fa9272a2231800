import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { useFormat } from '../../ui/format';
import { ExternalTextLink } from '../../ui/text-link';
import { Callout } from './callout';

/** Limits of a plan that a customer can get past. */
export const PLAN_LIMITS = [
  'QUOTA_REACHED',
  'WILDCARD_NEEDS_VIP',
  'DOMAIN_UPSTREAM_NEEDS_VIP',
  'PLUGIN_NEEDS_VIP',
  'PLAN_REQUIRED',
  'IPV6_NEEDS_VIP',
  'TLS_CA_LIMIT',
  'CACHE_CLEAR_NEEDS_PLAN',
  'PREFETCH_NEEDS_PLAN',
] as const;
export type PlanLimit = (typeof PLAN_LIMITS)[number];

export const isPlanLimit = (code: string | undefined): code is PlanLimit =>
  (PLAN_LIMITS as readonly (string | undefined)[]).includes(code);

/** What the plan does not include, where nothing was tried yet: in the place of its control, no louder than that. With names, of several plugins. */
export function PlanLimitLine({ reason, names }: { reason: PlanLimit; names?: readonly string[] }) {
  const t = useTranslations('domain.upgrade');
  const format = useFormat();
  const why = names
    ? t('PLUGINS_NEED_VIP', { names: format.list(names.map((name) => t('quoted', { name }))) })
    : t(reason);
  const { support_email: email } = useBrand();
  return (
    <p className="min-w-0 text-sm text-muted">
      {email === ''
        ? why
        : t.rich('limit', {
            reason: why,
            link: () => <ExternalTextLink href={`mailto:${email}`}>{t('ask')}</ExternalTextLink>,
          })}
    </p>
  );
}

/** Why the plan is in the way of what was tried, and how to get past it. */
export function UpgradePrompt({ reason }: { reason: PlanLimit }) {
  const t = useTranslations('domain.upgrade');
  const brand = useBrand();
  return (
    <Callout tone="info" role="status">
      <p>{t(reason)}</p>
      {brand.support_email !== '' && (
        <p className="mt-1 text-ink">
          {t.rich('contact', {
            link: () => (
              <ExternalTextLink href={`mailto:${brand.support_email}`}>{brand.support_email}</ExternalTextLink>
            ),
          })}
        </p>
      )}
    </Callout>
  );
}
