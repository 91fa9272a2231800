/** Whether a hash is one of the identity provider's forms, which run without the console's shell. */
export function isIdentityHash(hash: string): boolean {
  return /^#\/?pages\/(login|register)(?=$|[?&/])/.test(hash);
}
