import { z } from 'zod';
import { text } from '../text.ts';

/** Of a group, in any case one of its account. */
export const groupName = text(100, { seen: 'line' }).min(1);

/** Spec section 3, "Group". */
export const group = z.object({
  id: z.uuid(),
  name: groupName,
  default_group: z.boolean().describe('New domains go here; it cannot be deleted.'),
});
