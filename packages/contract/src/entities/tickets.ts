import { z } from 'zod';
import { ticketCategory, ticketPriority, ticketStatus } from '../enumerations.ts';
import { text } from '../text.ts';
import { timestamp } from './routes.ts';

/** Spec section 3, "Ticket"; subject, description and comment are required (section 5). */
export const ticketSubject = text(200, { seen: 'line' }).min(1);
export const ticketDescription = text(20_000, { seen: true }).min(1);
export const ticketComment = text(20_000, { seen: true }).min(1);
export const ticket = z.object({
  id: z.uuid(),
  subject: ticketSubject,
  description: ticketDescription,
  status: ticketStatus,
  priority: ticketPriority,
  category: ticketCategory,
  assignee: text(200).nullable(),
  comments: z.array(z.object({ author: text(320), text: ticketComment, created: timestamp })).max(1000),
});
