import { ApiError, ERROR_NOTICE_DURATIONS_MS, ERROR_NOTICE_MS } from '@cordon/contract';
import { onlineManager } from '@tanstack/react-query';
import { createTranslator } from 'use-intl';
import { dismissNotice, notify } from '../ui/notices';
import { LoadError, type LoadReason } from '../ui/reach';
import type { ErrorStateProps } from '../ui/states';
import type { TellHere } from '../ui/telling-here';
import { getIntl, type IntlState } from './intl-store';
import { waitOf } from './wait';

type Params = Readonly<Record<string, string | number>>;

interface ErrorTranslator {
  (key: string, values?: Params): string;
  has(key: string): boolean;
}

/* The API may leave one out; the message then says "too long" without the number, or nothing of the status. */
const UNKNOWN: Params = { minimum: 'unknown', maximum: 'unknown', status: 'unknown' };

export function translator(namespace: 'errors' | 'fieldErrors' | 'ui' | 'ui.error' = 'errors'): ErrorTranslator {
  const { locale, messages } = getIntl();
  return createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace,
  }) as unknown as ErrorTranslator;
}

/** What an answer says that has no words of its own. */
function unknownText(error: ApiError): string {
  const t = translator();
  return isServerError(error) ? t('server', { status: error.status }) : t('request');
}

/** `upstreams.0.port.PORT_FORBIDDEN` in words; undefined when there are none for the code. */
function pairText(pair: string, params: Readonly<Record<string, Params>> | undefined): string | undefined {
  const at = pair.lastIndexOf('.');
  const path = pair.slice(0, at);
  const code = pair.slice(at + 1);
  const given = params?.[path] ?? params?.[code];
  const values: Params = { ...UNKNOWN, ...waitOf(given), ...given };
  const isWhole = path === 'code';
  const t = translator(isWhole ? 'errors' : 'fieldErrors');
  const key = isWhole ? `codes.${code}` : code;
  if (!t.has(key)) return undefined;
  const place = `places.${path.replaceAll(/\.\d+(?=\.|$)/g, '')}`;
  // Who wrote a file has no form that would show which of several names is meant.
  return 'name' in values && t.has(place) ? t(place, { ...values, reason: t(key, values) }) : t(key, values);
}

/** The network is there, but the service is not: no answer in time, or only that of what stands before it. */
const isUnanswered = ({ status, body, cause }: ApiError): boolean =>
  status === 0
    ? onlineManager.isOnline() && cause instanceof Error && cause.name === 'TimeoutError'
    : body === undefined && status > 501 && status < 505;

/** Why nothing answered; undefined where something did. */
export function missingReason(error: unknown): LoadReason | undefined {
  if (error instanceof LoadError) return error.reason;
  if (!(error instanceof ApiError)) return undefined;
  return isUnanswered(error) ? 'unavailable' : error.status === 0 ? 'network' : undefined;
}

/** One line per thing that went wrong, in the current language: the specification's list of strings, translated. */
export function failureTexts(error: unknown): string[] {
  const t = translator();
  const reason = missingReason(error);
  if (reason) return [translator('ui.error')(reason)];
  if (!(error instanceof ApiError)) return [t('unexpected')];
  const texts = error.list.map((entry) => {
    if (entry === 'Request error') return unknownText(error);
    // Of several words: a sentence.
    if (/\s/.test(entry)) return entry;
    return pairText(entry, error.body?.params) ?? unknownText(error);
  });
  // "Validation failed" adds nothing when the fields say what is wrong.
  const hasFieldErrors = texts.length > 1 && error.code === 'VALIDATION_FAILED';
  return [...new Set(hasFieldErrors ? texts.filter((_, index) => !error.list[index]?.startsWith('code.')) : texts)];
}

/** Words for the fields of a form, by their path as the API names it. */
export function fieldTexts(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([path, code]) => [
      path,
      pairText(`${path}.${code}`, error.body?.params) ?? unknownText(error),
    ]),
  );
}

/** Named by the answer, or by what stands before the service. */
const requestIdOf = ({ body, cause }: ApiError): string | undefined =>
  body?.request_id ?? (cause instanceof Response ? (cause.headers.get('x-request-id') ?? undefined) : undefined);

/** By which support finds an error of the service itself. */
export const supportIdOf = (error: unknown): string | undefined =>
  isServerError(error) ? requestIdOf(error) : undefined;

/** What `ErrorState` and the tables show: of an error of the service itself, also where to look further. */
export function describeFailure(error: unknown): Pick<ErrorStateProps, 'requestId' | 'help'> & {
  reasons: string[];
  isOffline: boolean;
} {
  return {
    reasons: failureTexts(error),
    isOffline: missingReason(error) === 'network' || missingReason(error) === 'unavailable',
    requestId: error instanceof ApiError ? requestIdOf(error) : undefined,
    help: isServerError(error) ? { href: '#/pages/test', label: translator()('selfTest') } : undefined,
  };
}

const isServerError = (error: unknown): error is ApiError => error instanceof ApiError && error.status >= 500;

/** Whether the same may succeed when it is tried again: nothing answered it, or what answered had failed itself. */
export const isTransient = (error: unknown): boolean =>
  error instanceof LoadError || (error instanceof ApiError && (error.status === 0 || error.status >= 500));

/** How long the notice of a failure stays: the specification's own times for its three codes, else 6 s. */
export function failureNoticeMs(error: unknown): number {
  const code = error instanceof ApiError ? error.code : undefined;
  return (code && ERROR_NOTICE_DURATIONS_MS[code]) ?? ERROR_NOTICE_MS;
}

const noticeOf = new WeakMap<object, string>();

/** Takes away the notice of a failure: what was not done has been done since. */
export function dismissFailure(error: unknown): void {
  const notice = noticeOf.get(Object(error));
  if (notice) dismissNotice(notice);
}

/** Notices that say there is no network, and whether a write failed by it. */
const offlineNotices = new Map<string, boolean>();

/**
 * Takes away the notices that there is no network: something has answered. That a write failed stays true, whatever is
 * read meanwhile, until one succeeds.
 */
export function networkAnswered(isWrite = false): void {
  for (const [id, isOfWrite] of offlineNotices) {
    if (isOfWrite && !isWrite) continue;
    dismissNotice(id);
    offlineNotices.delete(id);
  }
}

onlineManager.subscribe((isOnline) => isOnline && networkAnswered());

/**
 * Shows a failure as a notice. The same failure again replaces the notice instead of stacking.
 * @param onRetry Of a write: does it once more; offered where that may help. In an open dialog the button that was pressed does it.
 * @param what Was not done, in a sentence, where the screen does not show it.
 * @param here The dialog that asked for it says it in place of a notice, as long as it is open.
 */
export function notifyFailure(error: unknown, onRetry?: () => void, what?: string, here?: TellHere): void {
  const [title, ...rest] = [what ?? [], failureTexts(error)].flat() as [string, ...string[]];
  const description = rest.join(' ') || undefined;
  const requestId = supportIdOf(error);
  if (here?.({ title, description, requestId })) return;
  const id = `failure:${title}`;
  noticeOf.set(Object(error), id);
  if (missingReason(error) === 'network') offlineNotices.set(id, onRetry !== undefined);
  const canRetry = isTransient(error) && !document.querySelector('[role$=dialog]:not([data-notice])');
  notify({
    id,
    tone: 'error',
    title,
    description,
    requestId,
    durationMs: failureNoticeMs(error),
    action:
      onRetry && canRetry
        ? {
            label: translator('ui')('retry'),
            onPress: onRetry,
          }
        : undefined,
  });
}
