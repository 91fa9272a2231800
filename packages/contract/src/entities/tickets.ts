import { z } from 'zod';

/** Spec section 5: a comment is required. */
export const ticketComment = z.string().trim().min(1).max(20_000);
