import type { z } from 'zod';
import type { brandsFile } from './schema.ts';
import { CORDON_LOGO, PALISADE_LOGO, PARTNER_LOGO } from './shipped-logos.ts';

/** What is used without `CORDON_BRANDS`; also the example to start an own file from. */
export const shippedBrands: z.input<typeof brandsFile> = {
  default: 'cordon',
  brands: [
    {
      key: 'cordon',
      name: 'Cordon',
      title: { en: 'Cordon – CDN and domain protection', zh: 'Cordon – CDN 加速与域名防护' },
      hostnames: ['cordon.test', 'localhost', '127.0.0.1'],
      logo_svg: CORDON_LOGO,
      colors: { primary: '#234fd0', primary_dark: '#3f6df0', soft: '#eaf0ff', soft_dark: '#1b2749' },
      white_label: false,
      abuse_contact: 'abuse@cordon.test',
      support_email: 'support@cordon.test',
    },
    {
      key: 'palisade',
      name: 'Palisade',
      title: { en: 'Palisade – CDN and domain protection', zh: 'Palisade – CDN 加速与域名防护' },
      hostnames: ['palisade.test'],
      logo_svg: PALISADE_LOGO,
      colors: { primary: '#0b6e5f', primary_dark: '#15796a', soft: '#e2f4ef', soft_dark: '#11312b' },
      white_label: false,
      abuse_contact: 'abuse@palisade.test',
      support_email: 'support@palisade.test',
    },
    {
      key: 'partner',
      name: 'Domain Console',
      title: { en: 'Domain protection console', zh: '域名防护控制台' },
      hostnames: ['console.partner.test'],
      logo_svg: PARTNER_LOGO,
      colors: { primary: '#475569', primary_dark: '#5f6f87', soft: '#eef1f6', soft_dark: '#232a36' },
      white_label: true,
      abuse_contact: 'abuse@partner.test',
      support_email: 'support@partner.test',
    },
  ],
};
