import { factsText, readFacts, type StoredFacts } from './cache-object.ts';

/**
 * What the fetching server found out by a validation (304): nginx throws the answer's fields away, and goes on with those of what it
 * has. They wait here until the answer to the visitor is composed, maybe by another worker.
 */
const fetches = ngx.shared.cordon_fetches as SharedDict;
const SECONDS = 60;

const keyOfValidation = (requestId: string): string => `valid ${requestId}`;

export function leaveValidation(requestId: string, facts: StoredFacts): void {
  fetches.set(keyOfValidation(requestId), factsText(facts), SECONDS);
}

export function takeValidation(requestId: string): StoredFacts | undefined {
  const key = keyOfValidation(requestId);
  const text = fetches.get(key) as string | undefined;
  if (text === undefined) return undefined;
  fetches.delete(key);
  return readFacts(text);
}
