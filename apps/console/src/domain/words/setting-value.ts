import { useTranslations } from 'use-intl';

/** A value of one of a domain's own settings as people say it; undefined for what says itself. */
export function useSettingValue() {
  const t = useTranslations('domain');
  return (setting: string, value: unknown): string | undefined => {
    // One level is what holds where nothing is said.
    if (setting === 'wildcard_levels') return t(`upstreams.wildcards.${value === 'all' ? 'all' : 'one'}`);
    if (value === undefined || value === null) return undefined;
    if (setting === 'connection_limit' && value === 0) return t('changes.unlimited');
    if (setting === 'tls_verification') return t(`upstreams.tls.${value as 'strict' | 'custom' | 'off'}`);
    if (setting === 'traffic_action') return t(`upstreams.action.${value as 'upstream' | 'redirect'}`);
    if (setting === 'protocol') return t(`upstreams.protocol.${value as 'http' | 'https' | 'http_https'}`);
    return undefined;
  };
}
