/* A part of the script in the page: imports nothing that is larger than itself. */

const HINT_KEY = 'session_hint';
const FAILURES_KEY = 'sign_in_failures';
const FAILURES_MAX = 3;
const FAILURES_WINDOW_MS = 60_000;

/** Whether a user was signed in here last time, so that the shell may be drawn while the check runs. */
export const wasSignedIn = (): boolean => localStorage.getItem(HINT_KEY) !== null;

/** Notes for the next visit whether a user is signed in here. */
export function noteSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(HINT_KEY, '1');
  else localStorage.removeItem(HINT_KEY);
}

function recentFailures(): number[] {
  const all = JSON.parse(sessionStorage.getItem(FAILURES_KEY) ?? '[]') as number[];
  return all.filter((at) => at > Date.now() - FAILURES_WINDOW_MS);
}

/** Counts a sign-in that failed. */
export function rememberFailure(): void {
  sessionStorage.setItem(FAILURES_KEY, JSON.stringify([...recentFailures(), Date.now()]));
}

/** Whether signing in failed so often just now that trying again would only go round in circles. */
export const isSignInLooping = (): boolean => recentFailures().length >= FAILURES_MAX;

/** Lets the customer try again by hand. */
export const forgetSignInFailures = (): void => sessionStorage.removeItem(FAILURES_KEY);
