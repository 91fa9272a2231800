import { z } from 'zod';
import { brandContrasts, CONTRAST_AA } from './contrast.ts';

/** The file that `CORDON_BRANDS` names. Its JSON Schema is `docs/brands.schema.json`, made from this. */

const hostname = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
    'lower-case name or IPv4 address, without port',
  );

const color = z.string().regex(/^#[0-9a-f]{6}$/, 'colour as #rrggbb in lower case');

export const brandColors = z
  .strictObject({
    primary: color.describe('Buttons and links on light ground.'),
    primary_dark: color.describe('The same on dark ground.'),
    soft: color.describe('Tinted ground in the light theme.'),
    soft_dark: color.describe('Tinted ground in the dark theme.'),
  })
  .superRefine((colors, context) => {
    for (const { what, ratio } of brandContrasts(colors)) {
      if (ratio >= CONTRAST_AA) continue;
      context.addIssue({
        code: 'custom',
        message: `${what}: contrast ${ratio.toFixed(2)} is below AA (${CONTRAST_AA})`,
      });
    }
  });

const LOGO_BYTES_MAX = 32_768;

export const brandEntry = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .describe('Identifier of the brand; kept with the accounts that registered under it.'),
  name: z.string().min(1).max(64).describe('Shown beside the logo and on pages at the edge.'),
  title: z
    .strictObject({ en: z.string().min(1).max(120), zh: z.string().min(1).max(120) })
    .describe('Title of the page.'),
  hostnames: z
    .array(hostname)
    .min(1)
    .max(50)
    .describe(
      'Names that the console answers to under this brand. The first is its own unless `origin` says otherwise; the others are sent there.',
    ),
  origin: z
    .url({ protocol: /^https?$/ })
    .max(255)
    .refine((url) => new URL(url).origin === url, 'scheme, name and port only, no path')
    .optional()
    .describe(
      'Public address of the console under this brand. By default scheme and port of CORDON_ORIGIN with the first of the hostnames.',
    ),
  logo_svg: z
    .string()
    .max(LOGO_BYTES_MAX)
    .regex(/^<svg[\s>]/, 'an SVG document that starts with <svg')
    .nullable()
    .default(null)
    .describe('Square mark as SVG text, visible on light and dark ground. Null: only the name is shown.'),
  colors: brandColors,
  white_label: z
    .boolean()
    .default(false)
    .describe('Hides billing and membership screens; pages at the edge do not name the provider.'),
  abuse_contact: z.email().max(254).describe('Shown to visitors whose request was blocked.'),
  support_email: z.email().max(254),
  terms_version: z
    .string()
    .min(1)
    .max(32)
    .default('1')
    .describe('Version of the terms that registering agrees to; kept with each user. Change it when the terms change.'),
  terms_url: z
    .url({ protocol: /^https?$/ })
    .max(255)
    .nullable()
    .default(null)
    .describe('Where the terms can be read. Null: the terms that come with the console.'),
  chat_enabled: z
    .boolean()
    .default(false)
    .describe('Live chat is shown on the screens that allow it, if a chat is configured.'),
});
export type BrandEntry = z.output<typeof brandEntry>;

export const brandsFile = z
  .strictObject({
    $schema: z.string().max(255).optional(),
    default: z.string().describe('Key of the brand used where no hostname decides.'),
    brands: z.array(brandEntry).min(1).max(100),
  })
  .superRefine((file, context) => {
    const keys = new Set<string>();
    const owners = new Map<string, string>();
    file.brands.forEach((brand, index) => {
      const add = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['brands', index, path], message });
      if (keys.has(brand.key)) add('key', `the key ${brand.key} is used twice`);
      keys.add(brand.key);
      for (const name of brand.hostnames) {
        const owner = owners.get(name);
        if (owner !== undefined) add('hostnames', `${name} belongs to ${owner} already`);
        owners.set(name, brand.key);
      }
      if (brand.origin !== undefined && !brand.hostnames.includes(new URL(brand.origin).hostname))
        add('origin', 'its name must be one of the hostnames');
    });
    if (!keys.has(file.default))
      context.addIssue({ code: 'custom', path: ['default'], message: 'no brand has this key' });
  });
