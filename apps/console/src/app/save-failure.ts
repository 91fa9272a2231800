import { failureTexts, missingReason, translator } from './failure';

/** The same of what a form sent: without a network it says also what became of what was entered. */
export const saveFailureTexts = (error: unknown): string[] =>
  missingReason(error) === 'network' ? [translator('ui.error')('notSaved')] : failureTexts(error);
