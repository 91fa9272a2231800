/** Hashes of the list of domains, which is the start screen. */
export const STARTS_AT_LIST = /^(#\/?|#\/domain\/list([?].*)?)?$/;

/**
 * Whether an address is one of the identity provider's forms with its open question, which run without the console's
 * shell. Without a question the console starts one (route-tree.ts).
 */
export function isIdentityForm({ hash, search }: { readonly hash: string; readonly search: string }): boolean {
  return /^#\/?pages\/(login|register)(?=$|[?&/])/.test(hash) && /[?&]interaction=/.test(hash + search);
}
