import { z } from 'zod';

type Pick = (value: unknown) => unknown;

const asIs: Pick = (value) => value;

/**
 * Takes of a response body what its schema names and nothing else, so that a column or field added by mistake does not
 * leave the process. Types and formats are not looked at: checking every response by its whole schema costs a seventh
 * of a page of the domain list, so only tests do (`checkResponses`).
 */
export function compilePick(schema: z.ZodType): Pick {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const pick = compilePick(schema.unwrap() as z.ZodType);
    return pick === asIs ? asIs : (value) => (value === null || value === undefined ? value : pick(value));
  }
  if (schema instanceof z.ZodDefault) return compilePick(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return compilePick(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const pick = compilePick(schema.element as z.ZodType);
    return pick === asIs ? asIs : (value) => (value as unknown[]).map(pick);
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
      name,
      pick: compilePick(field),
    }));
    return (value) => {
      const source = value as Record<string, unknown>;
      const taken: Record<string, unknown> = {};
      for (const { name, pick } of fields) taken[name] = pick === asIs ? source[name] : pick(source[name]);
      return taken;
    };
  }
  return asIs;
}
