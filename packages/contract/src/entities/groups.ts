import { z } from 'zod';
import { text } from '../text.ts';

/** Spec section 3, "Group". */
export const group = z.object({
  id: z.uuid(),
  name: text(100, { seen: 'line' }).min(1),
  default_group: z.boolean().describe('New domains go here; it cannot be deleted.'),
});
