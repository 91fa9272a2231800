import type { EdgeContext, EdgeKit, PossibleValues } from '@cordon/plugin-kit/edge';
import type { Condition, Group, Part } from './schema.ts';

/**
 * Whether what a customer wrote holds for a request. Strict, for rules that let pass: of several values all have to fit, and there
 * has to be one; else any is enough; so it is with the ways in which origins read a path, cookies and arguments. What could not be
 * found out does not hold where it is strict, and holds else. What is turned round is strict where it would not be, so that a doubt
 * always counts against the same side.
 */
export type Holds = (this: void, ctx: EdgeContext, isStrict: boolean) => boolean;

interface TextTest {
  /** Steps that it takes (`EdgeContext.spendOn`). */
  readonly ofText: number;
  readonly ofByte: number;
  /** Undefined: in doubt. */
  readonly fits: (this: void, text: string, ctx: EdgeContext) => boolean | undefined;
}
type Texts = (this: void, ctx: EdgeContext) => readonly string[];
type PossibleTexts = (this: void, ctx: EdgeContext) => PossibleValues | undefined;
type TextCondition = Extract<Condition, { readonly field: 'path' | 'query' | 'user_agent' }>;
type NamedCondition = Extract<Condition, { readonly field: 'header' | 'cookie' | 'argument' }>;

const turnedRound =
  (holds: Holds): Holds =>
  (ctx, isStrict) =>
    !holds(ctx, !isStrict);

/** How a text is compared with one value. */
function isLike(test: 'is' | 'contains' | 'begins_with' | 'ends_with', text: string, value: string): boolean {
  if (test === 'is') return text === value;
  if (test === 'contains') return text.includes(value);
  return test === 'begins_with' ? text.startsWith(value) : text.endsWith(value);
}

/** Steps that looking at a text takes, those that a comparison with one value does, and those for each of its bytes: where it is tried at each byte of a text. */
const STEPS_OF_TEXT = 5;
const STEPS_OF_EQUAL = 1;
const STEPS_OF_PART = 10;
const BYTES_TRIED_IN_A_STEP = 200;
const STEPS_OF_BYTE_IN_LOWER_CASE = 0.1;

function stepsOf(test: 'is' | 'contains' | 'begins_with' | 'ends_with', values: readonly string[]): number {
  return STEPS_OF_TEXT + values.length * (test === 'is' ? STEPS_OF_EQUAL : STEPS_OF_PART);
}

function stepsOfByte(values: readonly string[], kit: EdgeKit): number {
  let steps = 0;
  for (const value of values) steps += Math.ceil(kit.byteCount(value) / BYTES_TRIED_IN_A_STEP);
  return steps;
}

/** A node that does not know what a rule says, of a newer schema for example, must not take it for another. */
export function requireKnown(what: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw new Error(`no ${what} of rules: ${given}`);
}

function compareTexts(condition: TextCondition | NamedCondition, kit: EdgeKit): TextTest {
  if (condition.test === 'exists') return { ofText: STEPS_OF_TEXT, ofByte: 0, fits: () => true };
  if (condition.test === 'matches') {
    const pattern = kit.pattern(condition.pattern);
    return { ofText: STEPS_OF_TEXT, ofByte: 0, fits: (text, ctx) => ctx.matches(pattern, text) };
  }
  const { test } = condition;
  requireKnown('test', test, ['is', 'contains', 'begins_with', 'ends_with']);
  const ignoresCase = condition.ignore_case;
  const values: string[] = [];
  for (const value of condition.values) {
    if (typeof value !== 'string') throw new Error('a value that is no text');
    values.push(ignoresCase ? kit.lowerCase(value) : value);
  }
  return {
    ofText: stepsOf(test, values),
    ofByte: (test === 'contains' ? stepsOfByte(values, kit) : 0) + (ignoresCase ? STEPS_OF_BYTE_IN_LOWER_CASE : 0),
    fits: (text) => {
      const compared = ignoresCase ? kit.lowerCase(text) : text;
      if (values.length === 1) return isLike(test, compared, values[0] as string);
      for (const value of values) if (isLike(test, compared, value)) return true;
      return false;
    },
  };
}

/** Texts that all origins read alike. */
function textsOf(condition: TextCondition | NamedCondition, kit: EdgeKit): Texts {
  if (condition.field === 'path') return (ctx) => ctx.pathReadings();
  if (condition.field === 'query') return (ctx) => [ctx.decodedQuery()];
  if (condition.field === 'user_agent') return (ctx) => ctx.headerValues('user-agent');
  // Of a newer schema, for example: as a header it would be found in no request.
  if (condition.field !== 'header') throw new Error(`no field of requests: ${condition.field}`);
  const name = kit.lowerCase(condition.name);
  return (ctx) => ctx.headerValues(name);
}

/** Of texts that origins may read in several ways. */
function possibleTextsOf({ field, name }: NamedCondition): PossibleTexts | undefined {
  if (field === 'cookie') return (ctx) => ctx.possibleCookieValues(name);
  if (field === 'argument') return (ctx) => ctx.possibleArgumentValues(name);
  return undefined;
}

/** Undefined: in doubt. */
const isFitting = (ctx: EdgeContext, text: string, { ofText, ofByte, fits }: TextTest): boolean | undefined =>
  ctx.spendOn(text, ofText, ofByte) ? fits(text, ctx) : undefined;

function holdsOfAll(ctx: EdgeContext, isStrict: boolean, { values, isSure }: PossibleValues, test: TextTest): boolean {
  for (const text of values) {
    const fits = isFitting(ctx, text, test);
    if (fits !== isStrict) return fits ?? !isStrict;
  }
  return isStrict && isSure;
}

function holdsOfTexts(condition: TextCondition | NamedCondition, kit: EdgeKit): Holds {
  const test = compareTexts(condition, kit);
  const possibleTexts = 'name' in condition ? possibleTextsOf(condition) : undefined;
  if (possibleTexts !== undefined)
    return (ctx, isStrict) => {
      const possible = possibleTexts(ctx);
      return possible === undefined ? !isStrict : holdsOfAll(ctx, isStrict, possible, test);
    };
  const texts = textsOf(condition, kit);
  return (ctx, isStrict) => {
    const values = texts(ctx);
    // Mostly there is one, and LuaJIT compiles nothing that leads to a loop.
    if (values.length === 1) return isFitting(ctx, values[0] as string, test) ?? !isStrict;
    return holdsOfAll(ctx, isStrict, { values, isSure: values.length > 0 }, test);
  };
}

function holdsOfCondition(condition: Condition, kit: EdgeKit): Holds {
  if (condition.field === 'method' || condition.field === 'country') {
    const isListed: Record<string, boolean | undefined> = {};
    for (const value of condition.values) isListed[value] = true;
    if (condition.field === 'method') return (ctx) => isListed[ctx.request.method] === true;
    return (ctx) => isListed[ctx.request.country] === true;
  }
  if (condition.field === 'asn') {
    const isListed: Record<number, boolean | undefined> = {};
    for (const value of condition.values) isListed[value] = true;
    return (ctx) => isListed[ctx.request.asn] === true;
  }
  if (condition.field === 'address') {
    const addresses = kit.addressSetAsWritten(condition.values);
    return (ctx) => ctx.matchAddress(addresses) !== undefined;
  }
  return holdsOfTexts(condition, kit);
}

/** What a condition, or a group of them, comes to. */
export function holdsOfPart(part: Part, kit: EdgeKit): Holds {
  if ('conditions' in part) return holdsOfGroup(part, kit);
  const holds = holdsOfCondition(part, kit);
  return part.not ? turnedRound(holds) : holds;
}

export function holdsOfGroup(group: Group, kit: EdgeKit): Holds {
  requireKnown('match', group.match, ['all', 'any']);
  const parts: Holds[] = [];
  for (const part of group.conditions) parts.push(holdsOfPart(part, kit));
  const holds = holdsOfParts(parts, group.match === 'all');
  return group.not ? turnedRound(holds) : holds;
}

/** Few parts, as most groups have, are asked without a loop: within the one over rules, LuaJIT compiles no other. */
function holdsOfParts(parts: readonly Holds[], needsAll: boolean): Holds {
  const [first, second, third] = parts;
  if (first === undefined) return () => needsAll;
  if (second === undefined) return first;
  if (third === undefined)
    return (ctx, isStrict) => (first(ctx, isStrict) === needsAll ? second(ctx, isStrict) : !needsAll);
  if (parts.length === 3)
    return (ctx, isStrict) => {
      if (first(ctx, isStrict) !== needsAll || second(ctx, isStrict) !== needsAll) return !needsAll;
      return third(ctx, isStrict);
    };
  return (ctx, isStrict) => {
    for (const part of parts) if (part(ctx, isStrict) !== needsAll) return !needsAll;
    return needsAll;
  };
}
