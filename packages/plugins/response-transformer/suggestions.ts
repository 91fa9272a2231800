import type { HeaderSuggestion } from '@cordon/plugin-kit/header-suggestions';

/**
 * Security fields that are right for nearly every site, with values that break little. A day of Strict-Transport-Security
 * can be taken back; a policy with more than `frame-ancestors` is another one for each site.
 */
export const suggestions: readonly HeaderSuggestion[] = [
  { name: 'Strict-Transport-Security', value: 'max-age=86400', hasWarning: true },
  { name: 'X-Content-Type-Options', value: 'nosniff' },
  { name: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { name: 'X-Frame-Options', value: 'SAMEORIGIN' },
  { name: 'Content-Security-Policy', value: "frame-ancestors 'self'", hasWarning: true },
  { name: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
];
