import { z } from 'zod';

/** Spec section 3, "Group". */
export const group = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(100),
  default_group: z.boolean().describe('New domains go here; it cannot be deleted.'),
});
