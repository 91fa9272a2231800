import type { Replay } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';

type UnknownRules = readonly Pick<Replay['unknown_rules'][number], 'fields'>[];

/** So many are named. */
const NAMED_MAX = 3;

/** Words for what the log lacks to tell whether rules hold. */
export function useMissingWords(): (rules: UnknownRules) => string {
  const t = useTranslations('domain.plugin.replay.missing');
  const format = useFormat();
  return (rules) => {
    const parts = new Set(rules.flatMap(({ fields }) => fields.map(({ field, name }) => t(field, { name }))));
    const named = [...parts].slice(0, NAMED_MAX);
    return format.list(parts.size > NAMED_MAX ? [...named, '…'] : named);
  };
}
