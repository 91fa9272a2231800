import { factsText, readFacts, type StoredFacts, type StoredField } from './cache-object.ts';

/**
 * What the fetching server found out by a validation (304): nginx throws the answer's fields away, and goes on with those of what it
 * has. They wait here until the answer to the visitor is composed, maybe by another worker.
 */
const fetches = ngx.shared.cordon_fetches as SharedDict;
const SECONDS = 60;

const keyOfValidation = (requestId: string): string => `valid ${requestId}`;

/** What is written anew of an object. */
export interface Validation {
  readonly facts: StoredFacts;
  readonly fields: readonly StoredField[];
}

export function leaveValidation(requestId: string, { facts, fields }: Validation): void {
  const lines = fields.map(({ name, value }) => `${name}: ${value}`);
  fetches.set(keyOfValidation(requestId), [factsText(facts), ...lines].join('\n'), SECONDS);
}

function readLine(line: string): StoredField {
  const [at = 0] = string.find(line, ': ', 1, true);
  return { name: string.sub(line, 1, at - 1), value: string.sub(line, at + 2) };
}

export function takeValidation(requestId: string): Validation | undefined {
  const key = keyOfValidation(requestId);
  const text = fetches.get(key) as string | undefined;
  if (text === undefined) return undefined;
  fetches.delete(key);
  const [first = '', ...lines] = text.split('\n');
  const facts = readFacts(first);
  return facts === undefined ? undefined : { facts, fields: lines.map(readLine) };
}
