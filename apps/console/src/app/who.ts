import { useTranslations } from 'use-intl';

const OPERATOR = /^operator \((.*)\)$/;

/** Whether the name itself says that it was an operator. */
export const isNamedOperator = (label: string): boolean => OPERATOR.test(label);

/** Who did something, as the API names them: an e-mail address or the name of a token; operators are told in words. */
export function useWho(): (label: string) => string {
  const t = useTranslations('shell');
  return (label) => {
    const name = OPERATOR.exec(label)?.[1];
    return name === undefined ? label : t('operator', { name });
  };
}
