import type { ClearKind } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Checkbox } from '../../ui/checkbox';
import { SegmentedControl } from '../../ui/choice';
import { Field } from '../../ui/field';
import { LinesTextarea } from './lines-textarea';
import { type ClearChoice, isListed, type useClearValues } from './use-clear-values';

const KINDS = ['all', 'urls', 'prefixes', 'tags'] as const satisfies readonly ClearKind[];

interface ClearFieldsProps {
  choice: ClearChoice;
  onChoiceChange: (choice: ClearChoice) => void;
  values: Pick<ReturnType<typeof useClearValues>, 'maximum' | 'error' | 'setTried'>;
  /** What its kind clears. */
  hint?: ReactNode;
  urlsExample: string;
  /** What is wrong is said when one leaves the values, where nothing else asks for it. */
  isTriedByLeaving?: boolean;
  disabled?: boolean;
}

/** What is to be cleared of a cache, and whether it is served on. */
export function ClearFields(props: ClearFieldsProps) {
  const { choice, onChoiceChange, values, hint, urlsExample, isTriedByLeaving = false, disabled = false } = props;
  const t = useTranslations('domain.clears');
  const { kind, texts } = choice;
  return (
    <>
      <Field label={t('what')} hint={hint}>
        <SegmentedControl
          options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onValueChange={(value) => {
            values.setTried(false);
            onChoiceChange({ ...choice, kind: value });
          }}
          disabled={disabled}
          className="self-start"
        />
      </Field>
      {isListed(kind) && (
        <Field
          label={t(`kind.${kind}`)}
          hint={t(kind === 'tags' ? 'perTag' : 'perLine', { maximum: values.maximum })}
          error={values.error}
        >
          <LinesTextarea
            rows={5}
            value={texts[kind] ?? ''}
            placeholder={kind === 'urls' ? urlsExample : t(`example.${kind}`)}
            disabled={disabled}
            onTextChange={(text) => onChoiceChange({ ...choice, texts: { ...texts, [kind]: text } })}
            onBlur={() => isTriedByLeaving && values.setTried(true)}
          />
        </Field>
      )}
      <Checkbox
        label={t('soft')}
        hint={t('softHint')}
        checked={choice.soft}
        disabled={disabled}
        onChange={(event) => onChoiceChange({ ...choice, soft: event.target.checked })}
      />
    </>
  );
}
