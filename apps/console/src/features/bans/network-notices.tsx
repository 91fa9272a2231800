import { addressListNotices } from '@cordon/plugin-kit/address-list';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';

const SHOWN_MAX = 3;

/** What may surprise in addresses that are right: bans that do nothing, and ranges that are wider than they look. */
export function NetworkNotices({ networks }: { networks: readonly string[] }) {
  const t = useTranslations('bans.add.notices');
  const notices = addressListNotices('networks', networks);
  if (notices.length === 0) return null;
  return (
    <Callout tone="warning" role="status">
      <ul className="flex flex-col gap-1">
        {notices.slice(0, SHOWN_MAX).map(({ path, message, params }) => (
          <li key={path}>
            {message === 'notices.special_address'
              ? t('special_address', { entry: String(params.entry), kind: String(params.kind) })
              : t('host_bits', { entry: String(params.entry), range: String(params.range) })}
          </li>
        ))}
        {notices.length > SHOWN_MAX && <li>{t('more', { count: notices.length - SHOWN_MAX })}</li>}
      </ul>
    </Callout>
  );
}
