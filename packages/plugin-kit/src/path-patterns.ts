/** Patterns for paths that forms offer at one press. */
export const EVERY_PATH = '.*';
/** Where passwords are tried out. */
export const LOGIN_PATHS = '/(login|log-in|signin|sign-in|register|password|wp-login\\.php|xmlrpc\\.php)';

/** Which of them a pattern is: messages have words for `every` and `login`, others they cite. */
export function pathsKind(pattern: string): 'every' | 'login' | 'some' {
  if (pattern === EVERY_PATH) return 'every';
  return pattern === LOGIN_PATHS ? 'login' : 'some';
}
