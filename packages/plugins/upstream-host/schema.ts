import { type FieldErrorCode, isWildcardName, parseDomainName } from '@cordon/contract';
import { text } from '@cordon/contract/text';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

const NAME_CHARACTERS_MAX = 255;
/** Faults of a name that have words of their own here; the others are all "not a host name". */
const OWN_WORDS: readonly FieldErrorCode[] = ['DOMAIN_NAME_IS_URL', 'DOMAIN_NAME_IS_ADDRESS', 'DOMAIN_NAME_NEEDS_DOT'];

function readName(text: string): { name: string } | { code: FieldErrorCode } {
  // Line breaks would be dropped without a word where Unicode is turned into A-labels.
  if (/\s/.test(text)) return { code: 'DOMAIN_NAME_INVALID' };
  if (/^[^:/?#@]+:\d*$/.test(text)) return { code: 'PORT_FORBIDDEN' };
  const read = parseDomainName(text.replace(/\.$/, ''));
  if (!read.ok) return { code: OWN_WORDS.includes(read.code) ? read.code : 'DOMAIN_NAME_INVALID' };
  return isWildcardName(read.name) ? { code: 'DOMAIN_NAME_INVALID' } : { name: read.name };
}

/**
 * The name that origins are asked for (spec section 3, "upstream-host"). A name, because an address can be no server
 * name over TLS (RFC 6066 section 3), and without a port, which belongs to the targets.
 */
export const schema = z.strictObject({
  hostname: text(NAME_CHARACTERS_MAX, { trim: true })
    .min(1)
    .transform((text, ctx) => {
      const read = readName(text);
      if ('name' in read) return read.name;
      addCodeIssue(ctx, [], read.code);
      return z.NEVER;
    })
    .describe('Sent to the origin as Host and, over https, as server name (SNI), instead of the visited name.'),
});

export type UpstreamHostConfig = z.output<typeof schema>;
