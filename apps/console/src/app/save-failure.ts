import { failureTexts, missingReason, supportIdOf, translator } from './failure';

/** What failed, with the request to name to support: for places that show nothing but texts. */
export function saidFailureTexts(error: unknown): string[] {
  const id = supportIdOf(error);
  return [...failureTexts(error), ...(id ? [`${translator('ui.error')('requestId')} ${id}`] : [])];
}

/** The same of what a form sent: without a network it says also what became of what was entered. */
export const saveFailureTexts = (error: unknown): string[] =>
  missingReason(error) === 'network' ? [translator('ui.error')('notSaved')] : saidFailureTexts(error);
