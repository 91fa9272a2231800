import { z } from 'zod';
import { ticketCategory, ticketPriority, ticketStatus } from '../enumerations.ts';
import { timestamp } from './routes.ts';

/** Spec section 3, "Ticket"; subject, description and comment are required (section 5). */
export const ticketSubject = z.string().trim().min(1).max(200);
export const ticketDescription = z.string().trim().min(1).max(20_000);
export const ticketComment = z.string().trim().min(1).max(20_000);
export const ticket = z.object({
  id: z.uuid(),
  subject: ticketSubject,
  description: ticketDescription,
  status: ticketStatus,
  priority: ticketPriority,
  category: ticketCategory,
  assignee: z.string().max(200).nullable(),
  comments: z.array(z.object({ author: z.string().max(320), text: ticketComment, created: timestamp })).max(1000),
});
