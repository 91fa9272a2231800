import { API_BASE } from '@cordon/contract';

export type CheckId = 'build' | 'browser' | 'storage' | 'api' | 'websocket' | 'clock' | 'language';
export type CheckState = 'running' | 'good' | 'warning' | 'bad';

/** A result: `message` is a key of the catalog with its values, `raw` is shown as it is. */
export interface CheckResult {
  state: CheckState;
  message?: { key: string; values: Record<string, string | number> };
  milliseconds?: number;
  raw?: string;
}

const WAIT_MS = 8000;
const CLOCK_TOLERANCE_SECONDS = 5;
const CLOCK_BAD_SECONDS = 60;

/** Asks the API for the brand, which needs no session, and reads the server's clock from the answer. */
export async function checkApi(): Promise<{ api: CheckResult; clock: CheckResult }> {
  const unknown: CheckResult = { state: 'warning', message: { key: 'clockUnknown', values: {} } };
  const started = performance.now();
  try {
    const response = await fetch(`${API_BASE}brand/`, { cache: 'no-store', signal: AbortSignal.timeout(WAIT_MS) });
    const milliseconds = Math.round(performance.now() - started);
    const api: CheckResult = response.ok
      ? { state: 'good', milliseconds, message: { key: 'apiAnswered', values: {} } }
      : { state: 'bad', message: { key: 'apiStatus', values: { status: response.status } } };
    const date = Date.parse(response.headers.get('date') ?? '');
    return { api, clock: Number.isNaN(date) ? unknown : compareClocks(Date.now() - milliseconds / 2, date) };
  } catch {
    return { api: { state: 'bad', message: { key: 'apiUnreachable', values: {} } }, clock: unknown };
  }
}

/** How far two clocks are apart; the server's `Date` has whole seconds only. */
export function compareClocks(ours: number, server: number): CheckResult {
  const seconds = Math.max(0, Math.abs(ours - server - 500) / 1000 - 0.5);
  if (seconds < CLOCK_TOLERANCE_SECONDS)
    return { state: 'good', message: { key: 'clockGood', values: { seconds: Math.ceil(seconds) || 1 } } };
  return {
    state: seconds < CLOCK_BAD_SECONDS ? 'warning' : 'bad',
    milliseconds: seconds * 1000,
    message: { key: 'clockOff', values: {} },
  };
}

/** Opens the websocket and closes it again. */
export function checkWebsocket(): Promise<CheckResult> {
  const refused: CheckResult = { state: 'warning', message: { key: 'websocketRefused', values: {} } };
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}${API_BASE}ws/`);
    const finish = (result: CheckResult) => {
      window.clearTimeout(timer);
      resolve(result);
      socket.close();
    };
    const timer = window.setTimeout(() => finish(refused), WAIT_MS);
    socket.addEventListener('open', () =>
      finish({
        state: 'good',
        milliseconds: Math.round(performance.now() - started),
        message: { key: 'websocketOpen', values: {} },
      }),
    );
    socket.addEventListener('error', () => finish(refused));
  });
}

/** Whether this browser keeps anything for us. */
export function checkStorage(): CheckResult {
  try {
    window.localStorage.setItem('self_test', '1');
    window.localStorage.removeItem('self_test');
    if (!navigator.cookieEnabled) throw new Error('cookies are off');
    return { state: 'good', message: { key: 'storageWorks', values: {} } };
  } catch {
    return { state: 'bad', message: { key: 'storageRefused', values: {} } };
  }
}

/** The browser, and whether it lets us use cryptography (PKCE needs a secure context). */
export function checkBrowser(): CheckResult {
  if (!window.isSecureContext)
    return { state: 'bad', raw: navigator.userAgent, message: { key: 'insecure', values: {} } };
  return { state: 'good', raw: navigator.userAgent };
}
