import { parseDomainName } from '@cordon/contract';

/** The host inside a pasted address, when it is one. */
export function hostOfUrl(text: string): string | undefined {
  const read = parseDomainName(text);
  if (read.ok || read.code !== 'DOMAIN_NAME_IS_URL') return undefined;
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?([^/:?#]+)/i.exec(text.trim())?.[1];
  return host && parseDomainName(host).ok ? host : undefined;
}
