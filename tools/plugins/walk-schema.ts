import { z } from 'zod';

/** A field of a plugin's configuration. */
export interface SchemaField {
  /** Names from the root, with dots between; entries of an array belong to the array's own path. */
  readonly path: string;
  readonly isDescribed: boolean;
  /** Values of an enumeration, else empty. */
  readonly options: readonly string[];
  /** Of one of several shapes (a union): only a form of the plugin's own can tell them apart, and has the words. */
  readonly isAlternative: boolean;
}

export interface SchemaReport {
  readonly fields: readonly SchemaField[];
  /** What is unbounded or cannot be bounded, with its path. */
  readonly faults: readonly string[];
}

type Schema = z.core.$ZodType;

/** What of zod's internal definitions the walk reads. */
interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly element?: Schema;
  readonly items?: readonly Schema[];
  readonly rest?: Schema | null;
  readonly options?: readonly Schema[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly discriminator?: string;
  readonly format?: string;
}

/** What the checks of a string, an array or a number say about its size. */
interface Bounds {
  readonly hasMinimum: boolean;
  readonly hasMaximum: boolean;
}

const WRAPPERS = new Set(['default', 'prefault', 'optional', 'nullable', 'nonoptional', 'readonly', 'catch']);
/** Bounded by their own kind. */
const BOUNDED = new Set(['boolean', 'enum', 'literal', 'null', 'undefined', 'never']);

const MAXIMUM_CHECKS = new Set(['max_length', 'length_equals', 'less_than']);

function boundsOf(schema: Schema): Bounds {
  const checks = (schema._zod.def.checks ?? []).map((check) => check._zod.def.check);
  return {
    hasMinimum: checks.includes('greater_than'),
    hasMaximum: checks.some((check) => MAXIMUM_CHECKS.has(check)),
  };
}

/** Formats of a fixed alphabet and a bounded size. */
const FORMATS = new Set(['uuid', 'datetime']);

const isText = (schema: Schema): boolean =>
  z.safeParse(schema, '\0').error?.issues.some(({ message }) => message === 'TEXT_INVALID') === true;

/** Finds each field of a schema, whether it is described, and every string, array or number without bounds. */
export function walkSchema(schema: z.ZodType): SchemaReport {
  const fields = new Map<string, SchemaField>();
  const faults: string[] = [];
  let unions = 0;
  const fault = (path: string, what: string) => faults.push(`${path === '' ? 'the configuration' : path} ${what}`);

  const describedOf = (candidate: Schema): boolean => {
    const definition = candidate._zod.def as unknown as Definition;
    if (z.globalRegistry.get(candidate)?.description) return true;
    if (WRAPPERS.has(definition.type) && definition.innerType) return describedOf(definition.innerType);
    return definition.type === 'pipe' && definition.out !== undefined && describedOf(definition.out);
  };

  const visitField = (field: Schema, path: string) => {
    const known = fields.get(path);
    fields.set(path, {
      path,
      isDescribed: describedOf(field) || known?.isDescribed === true,
      options: known?.options ?? [],
      isAlternative: unions > 0,
    });
    visit(field, path);
  };

  const visit = (candidate: Schema, path: string): void => {
    const definition = candidate._zod.def as unknown as Definition;
    const { type } = definition;
    if (WRAPPERS.has(type) && definition.innerType) {
      visit(definition.innerType, path);
      return;
    }
    if (BOUNDED.has(type)) {
      const field = fields.get(path);
      if (type === 'enum' && field)
        fields.set(path, { ...field, options: Object.values(definition.entries ?? {}).map(String) });
      return;
    }
    switch (type) {
      case 'string':
        if (FORMATS.has(definition.format ?? '')) return;
        if (!boundsOf(candidate).hasMaximum) fault(path, 'is a string without max()');
        else if (!isText(candidate)) fault(path, 'is a string that is no text(): NUL and lone surrogates pass');
        return;
      case 'array':
        if (!boundsOf(candidate).hasMaximum) fault(path, 'is an array without max()');
        if (definition.element) visit(definition.element, path);
        return;
      case 'number':
        if (!boundsOf(candidate).hasMinimum) fault(path, 'is a number without min()');
        if (!boundsOf(candidate).hasMaximum) fault(path, 'is a number without max()');
        return;
      case 'object':
        if (definition.catchall && (definition.catchall._zod.def as unknown as Definition).type !== 'never') {
          fault(path, 'takes unknown fields: use z.strictObject');
        }
        for (const [name, field] of Object.entries(definition.shape ?? {}))
          visitField(field, path === '' ? name : `${path}.${name}`);
        return;
      case 'union':
        unions++;
        for (const option of definition.options ?? []) visit(option, path);
        unions--;
        return;
      case 'tuple':
        for (const item of definition.items ?? []) visit(item, path);
        if (definition.rest) fault(path, 'is a tuple of any length');
        return;
      case 'pipe':
        // A transformation cannot loosen what went in; what comes out of a preprocessing one is what counts.
        for (const side of [definition.in, definition.out]) {
          if (side && (side._zod.def as unknown as Definition).type !== 'transform') visit(side, path);
        }
        return;
      default:
        fault(path, `is of kind ${type}, whose size cannot be bounded`);
    }
  };
  visit(schema, '');
  return { fields: [...fields.values()], faults };
}
