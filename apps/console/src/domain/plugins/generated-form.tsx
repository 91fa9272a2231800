import { errorsBelow, type PluginFormProps } from '@cordon/plugin-kit/form';
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

/** A form made from a plugin's schema: one block per field, words from the plugin's catalog, for plugins without their own. */
export function GeneratedForm({ schema, value, onChange, errors, t, ui, disabled }: GeneratedFormProps) {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  const { Switch, Text, Number: NumberBlock, Select, List } = ui;
  function block(name: string, type: z.ZodType): ReactNode {
    const hintKey = `fields.${name}.hint`;
    const hint = t(hintKey);
    const common = {
      label: t(`fields.${name}.label`),
      hint: hint === hintKey ? undefined : hint,
      error: errors[name],
      disabled,
    };
    const set = (next: unknown) => onChange({ ...value, [name]: next });
    const current = value[name];
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
        return { value: one, label: label === key ? one : label };
      };
      return (
        <Select
          {...common}
          value={String(current ?? '')}
          options={type.options.map((one) => option(String(one)))}
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
          onChange={(next) => set(isNumeric ? next.map(Number) : next)}
        />
      );
    }
    return <Text {...common} value={typeof current === 'string' ? current : ''} onChange={set} />;
  }
  return (
    <>
      {Object.entries(shape).map(([name, field]) => (
        <div key={name}>{block(name, innerType(field))}</div>
      ))}
    </>
  );
}
