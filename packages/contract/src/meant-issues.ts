import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Issues about parts of a value, not about what it is: it has the shape of the option of a union that they are of. */
const areInside = (issues: readonly Issue[]): boolean =>
  issues.every((issue) => issue.path.length > 0 && !(issue.code === 'invalid_union' && issue.errors.length === 0));

/**
 * Issues for `fieldErrorsOf` that say of a union what is wrong inside the only option that is meant, in place of one that says only
 * that none fits. For schemas with unions of shapes, such as a condition or a group of them.
 */
export const meantIssues = (issues: readonly Issue[]): Issue[] =>
  issues.flatMap((issue) => {
    const [meant, another] = issue.code === 'invalid_union' ? issue.errors.filter(areInside) : [];
    if (!meant || another) return issue;
    return meantIssues(meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });
