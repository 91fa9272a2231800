import { useTranslations } from 'use-intl';
import { isNamedOperator, useWho } from '../../app/who';

/** Who did something to a cache, as the API names them; a token is called one, which else would read as a person. */
export function useCacheDoer(): (label: string) => string {
  const t = useTranslations('caching');
  const whoOf = useWho();
  return (label) => (label.includes('@') || isNamedOperator(label) ? whoOf(label) : t('token', { name: label }));
}
