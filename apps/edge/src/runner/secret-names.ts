/**
 * Parts of the names of parameters whose values never reach the log (security design, "Secrets"), as a regular
 * expression: of the query, and of path parameters such as `;jsessionid=`.
 */
export const SECRET_NAMES =
  'token|secret|passw|passphrase|passcode|pwd|license_key|signature|sig|sess|auth|credential|apikey|api_key|api-key|access_key|private|jwt|otp|ticket|assertion|nonce|hmac|saml|wresult|bearer|cookie|csrf|xsrf|refresh|magic|invit|verification|activation|recovery';
/** Whole names, between separators: inside of others they would hit too much. */
export const SECRET_WORDS =
  'key|code|sid|pass|pw|psw|cred|mfa|pin|state|email|hash|access|reset|confirm|confirmation|share';
