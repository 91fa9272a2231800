import { domainToASCII } from 'node:url';
import { z } from 'zod';

const EMAIL_CHARACTERS_MAX = 254;
const emailShape = z.email().max(EMAIL_CHARACTERS_MAX);

/**
 * One spelling per mailbox owner: trimmed, NFKC, the whole in lower case, the domain as A-labels. Lower case in the
 * local part too, though RFC 5321 leaves it to the receiver: no provider distinguishes mailboxes by case, but
 * people vary it, and look-alikes use it. Null if it is no address.
 */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.normalize('NFKC').trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 1) return null;
  const domain = domainToASCII(trimmed.slice(at + 1));
  const parsed = emailShape.safeParse(`${trimmed.slice(0, at).toLowerCase()}@${domain}`);
  return parsed.success ? parsed.data : null;
}
