import type { SayValue } from '@cordon/plugin-kit/form';

/** Countries by their names. */
export const sayValue: SayValue = (field, value, t) =>
  field === 'blacklist_countries' || field === 'whitelist_countries'
    ? t('form.country', { country: { countries: [String(value)] } })
    : undefined;
