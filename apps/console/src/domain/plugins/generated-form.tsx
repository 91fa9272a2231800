import { errorsBelow, type PluginFormProps, remarksOn } from '@cordon/plugin-kit/form';
import type { ReactNode } from 'react';
import { z } from 'zod';

type Config = Readonly<Record<string, unknown>>;
interface GeneratedFormProps extends PluginFormProps<Config> {
  readonly schema: z.ZodType;
}

/** The type of a field without its default and its "may be missing". */
function innerType(field: z.ZodType): z.ZodType {
  let type = field;
  while (
    type instanceof z.ZodDefault ||
    type instanceof z.ZodOptional ||
    type instanceof z.ZodNullable ||
    type instanceof z.ZodPrefault
  ) {
    type = type.unwrap() as z.ZodType;
  }
  return type;
}

const isText = (field: z.ZodType): boolean => {
  const type = innerType(field);
  return type instanceof z.ZodString || type instanceof z.ZodPipe;
};

/** A text that may neither be left empty nor left out. */
const isRequired = (field: z.ZodType): boolean =>
  isText(field) && !field.safeParse(undefined).success && !field.safeParse('').success;

/** A form made from a plugin's schema: one block per field, words from the plugin's catalog, for plugins without their own; what holds for all fields, `form.about`, stands above them. */
export function GeneratedForm(props: GeneratedFormProps) {
  const { schema, value, onChange, errors, t, ui, disabled } = props;
  const { Switch, Text, Number: NumberBlock, Select, Choice, List, Rows, Section, Note } = ui;
  const fields = schema instanceof z.ZodObject ? Object.values(schema.shape as Record<string, z.ZodType>) : [];
  // A single text has its hint below it, as elsewhere; beside it the hint would be a narrow column.
  const isOnlyTexts = fields.length > 1 && fields.every(isText);
  /** `name` is the path of the field, with dots between levels. */
  function block(name: string, field: z.ZodType, current: unknown, set: (next: unknown) => void): ReactNode {
    const type = innerType(field);
    const hintKey = `fields.${name}.hint`;
    const hint = t(hintKey);
    const placeholderKey = `fields.${name}.placeholder`;
    const placeholder = t(placeholderKey);
    const common = {
      label: t(`fields.${name}.label`),
      hint: hint === hintKey ? undefined : hint,
      error: errors[name],
      disabled,
    };
    if (type instanceof z.ZodBoolean) return <Switch {...common} checked={current === true} onChange={set} />;
    if (type instanceof z.ZodNumber) {
      const [min, max] = [type.minValue ?? undefined, type.maxValue ?? undefined];
      return (
        <NumberBlock
          {...common}
          value={typeof current === 'number' ? current : Number.NaN}
          min={min}
          max={max}
          onChange={set}
        />
      );
    }
    if (type instanceof z.ZodEnum) {
      const option = (one: string) => {
        const key = `fields.${name}.options.${one}`;
        const label = t(key);
        const aboutKey = `fields.${name}.optionHints.${one}`;
        const about = t(aboutKey);
        return { value: one, label: label === key ? one : label, ...(about !== aboutKey && { hint: about }) };
      };
      const options = type.options.map((one) => option(String(one)));
      // Choices that need a sentence each are few.
      const Block = options.some(({ hint }) => hint) ? Choice : Select;
      return <Block {...common} value={String(current ?? '')} options={options} onChange={set} />;
    }
    if (type instanceof z.ZodObject) {
      const inside = (current ?? {}) as Config;
      return (
        <Section label={common.label} hint={common.hint}>
          {blocks(`${name}.`, type, inside, (next) => set(next))}
        </Section>
      );
    }
    if (type instanceof z.ZodArray && innerType(type.element as z.ZodType) instanceof z.ZodObject) {
      const { shape } = innerType(type.element as z.ZodType) as z.ZodObject;
      return (
        <Rows
          {...common}
          columns={Object.keys(shape).map((column) => ({ name: column, label: t(`fields.${name}.${column}.label`) }))}
          value={Array.isArray(current) ? current : []}
          errors={errorsBelow(errors, name)}
          onChange={set}
        />
      );
    }
    if (type instanceof z.ZodArray) {
      const isNumeric = innerType(type.element as z.ZodType) instanceof z.ZodNumber;
      const entries = Array.isArray(current) ? current.map(String) : [];
      return (
        <List
          {...common}
          value={entries}
          errors={errorsBelow(errors, name)}
          remarks={remarksOn(props, name)}
          onChange={(next) => set(isNumeric ? next.map(Number) : next)}
        />
      );
    }
    return (
      <Text
        {...common}
        required={isRequired(field)}
        isBeside={isOnlyTexts}
        placeholder={placeholder === placeholderKey ? undefined : placeholder}
        value={typeof current === 'string' ? current : ''}
        onChange={set}
      />
    );
  }
  function blocks(
    prefix: string,
    object: z.ZodType,
    config: Config,
    onConfigChange: (next: Config) => void,
  ): ReactNode[] {
    const shape = object instanceof z.ZodObject ? (object.shape as Record<string, z.ZodType>) : {};
    return Object.entries(shape).map(([name, field]) => (
      <div key={name}>
        {block(prefix + name, field, config[name], (next) => onConfigChange({ ...config, [name]: next }))}
      </div>
    ));
  }
  const about = t('form.about');
  return (
    <>
      {about !== 'form.about' && <Note tone="info" text={about} />}
      {blocks('', schema, value, onChange)}
    </>
  );
}
