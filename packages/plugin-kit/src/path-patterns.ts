/** Patterns for paths that forms offer at one press. */
export const EVERY_PATH = '.*';
/** Where passwords are tried out. */
export const LOGIN_PATHS = '/(login|log-in|signin|sign-in|register|password|wp-login\\.php|xmlrpc\\.php)';
