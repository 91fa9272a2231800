import { z } from 'zod';

export const brand = z.object({
  key: z.string(),
  name: z.string(),
  title: z.object({ en: z.string(), zh: z.string() }),
  logo_svg: z.string().nullable().describe('Data URL.'),
  colors: z.object({ primary: z.string(), primary_dark: z.string(), soft: z.string(), soft_dark: z.string() }),
  white_label: z.boolean().describe('Hides billing and membership screens.'),
  abuse_contact: z.string(),
  support_email: z.string(),
  chat_enabled: z.boolean(),
  oidc: z.object({ authority: z.string(), client_id: z.string(), realm: z.string() }),
});
export type Brand = z.infer<typeof brand>;
