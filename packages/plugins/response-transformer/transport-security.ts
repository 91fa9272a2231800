import { durationParams } from '@cordon/plugin-kit/duration-params';
import type { WarnOfHeader } from '@cordon/plugin-kit/header-suggestions';

const hasDirective = (value: string, name: string): boolean =>
  value.split(';').some((directive) => directive.trim().toLowerCase() === name);

/** Strict-Transport-Security (RFC 6797) stays in browsers after the field is gone: what that means for its value. */
export const warnOfTransportSecurity: WarnOfHeader = ({ name, value }) => {
  if (name.trim().toLowerCase() !== 'strict-transport-security' || value.trim() === '') return undefined;
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d{1,15})"?\s*(?:;|$)/i.exec(value)?.[1];
  if (seconds === undefined) return { message: 'warnings.transport_security.no_age', params: {} };
  // Section 6.1.1: zero takes it back.
  if (Number(seconds) === 0) return undefined;
  const reach = hasDirective(value, 'preload')
    ? 'preload'
    : hasDirective(value, 'includesubdomains')
      ? 'subdomains'
      : 'domain';
  return { message: `warnings.transport_security.${reach}`, params: durationParams(Number(seconds)) };
};
