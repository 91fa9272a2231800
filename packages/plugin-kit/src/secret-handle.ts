/**
 * What configurations hold in place of a secret (docs/adr/0014): `secret_` and 22 characters of base64url. The same secret of one
 * account always has the same one, and nothing can be told from it.
 */
const HANDLE = /^secret_[\w-]{22}$/;

export const isSecretHandle = (text: string): boolean => HANDLE.test(text);
