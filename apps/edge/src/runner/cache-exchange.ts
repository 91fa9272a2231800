import { factsText, readFacts, type StoredFacts, type StoredField } from './cache-object.ts';

/**
 * What the fetching server leaves for the answer to the visitor, maybe composed by another worker, where nginx has no way for it: what it
 * found out by a validation (304), whose fields nginx throws away, fields that are for this visitor alone, and how the origin has failed where
 * something stale serves.
 */
const exchanges = ngx.shared.cordon_learned as SharedDict;
const SECONDS = 60;

const keyOfValidation = (requestId: string): string => `valid ${requestId}`;

/** What is written anew of an object. */
export interface Validation {
  readonly facts: StoredFacts;
  readonly fields: readonly StoredField[];
}

export function leaveValidation(requestId: string, { facts, fields }: Validation): void {
  const lines = fields.map(({ name, value }) => `${name}: ${value}`);
  exchanges.set(keyOfValidation(requestId), [factsText(facts), ...lines].join('\n'), SECONDS);
}

function readLine(line: string): StoredField {
  const [at = 0] = string.find(line, ': ', 1, true);
  return { name: string.sub(line, 1, at - 1), value: string.sub(line, at + 2) };
}

export function takeValidation(requestId: string): Validation | undefined {
  const key = keyOfValidation(requestId);
  const text = exchanges.get(key) as string | undefined;
  if (text === undefined) return undefined;
  exchanges.delete(key);
  const [first = '', ...lines] = text.split('\n');
  const facts = readFacts(first);
  return facts === undefined ? undefined : { facts, fields: lines.map(readLine) };
}

const keyOfOnce = (requestId: string): string => `once ${requestId}`;

/** Fields that are not stored, and go to who has asked. */
export function leaveOnce(requestId: string, fields: readonly StoredField[]): void {
  exchanges.set(keyOfOnce(requestId), fields.map(({ name, value }) => `${name}: ${value}`).join('\n'), SECONDS);
}

export function takeOnce(requestId: string): readonly StoredField[] {
  const key = keyOfOnce(requestId);
  const text = exchanges.get(key) as string | undefined;
  if (text === undefined) return [];
  exchanges.delete(key);
  return text.split('\n').map(readLine);
}

const keyOfFailure = (requestId: string): string => `failed ${requestId}`;

/** What the origin has failed with, as `originText` has it. */
export function leaveFailure(requestId: string, origin: string): void {
  exchanges.set(keyOfFailure(requestId), origin, SECONDS);
}

export function takeFailure(requestId: string): string | undefined {
  const key = keyOfFailure(requestId);
  const origin = exchanges.get(key) as string | undefined;
  if (origin !== undefined) exchanges.delete(key);
  return origin;
}
