import { BAN_TIMEOUT_DEFAULT_SECONDS } from '@cordon/contract/constants';
import { z } from 'zod';

const DAY_SECONDS = 86_400;
const DAYS_MAX = 365;

/** Keeps banned clients out (spec sections 3 and 10; product design, "ban"). Whom it bans is no part of it: see operations.ts. */
export const schema = z.strictObject({
  default_timeout: z
    .number()
    .int()
    .min(10)
    .max(DAYS_MAX * DAY_SECONDS)
    .default(BAN_TIMEOUT_DEFAULT_SECONDS)
    .describe('Seconds of a ban that is given without an end of its own.'),
});

export type BanConfig = z.output<typeof schema>;
