import type { WildcardLevels as Levels } from '@cordon/contract';
import { wildcardLevels } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { RadioCards } from '../../ui/choice';
import { Field } from '../../ui/field';

interface WildcardLevelsProps {
  /** A wildcard of the domain, `*.example.com`. */
  name: string;
  value: Levels;
  onChange: (value: Levels) => void;
}

/** Which names the wildcards of a domain answer for. */
export function WildcardLevels({ name, value, onChange }: WildcardLevelsProps) {
  const t = useTranslations('domain.upstreams.wildcards');
  const parent = name.slice(2);
  return (
    <Field label={t('label', { name })}>
      <RadioCards
        options={wildcardLevels.options.map((level) => ({
          value: level,
          label: t(level),
          description: t(`${level}Hint`, { name, parent }),
        }))}
        value={value}
        onValueChange={(next) => onChange(wildcardLevels.parse(next))}
      />
    </Field>
  );
}
