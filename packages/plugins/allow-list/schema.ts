import { z } from 'zod';

/**
 * Lets clients of the account's allow list pass all protection (product design, "Protection and performance"). Whom it lets pass is no
 * part of it: see operations.ts.
 */
export const schema = z.strictObject({});

export type AllowListConfig = z.output<typeof schema>;
