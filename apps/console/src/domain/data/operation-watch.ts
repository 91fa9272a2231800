import { type DomainAction, isNotFound, type OperationError, type RouteSummary } from '@cordon/contract';
import { createTranslator } from 'use-intl';
import { api, queryClient } from '../../app/api-client';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import { onLiveEvent } from '../../app/live-events';
import { getSession } from '../../app/session/session';
import { whenSessionKnown } from '../../app/session-ready';
import { createFormat } from '../../ui/format';
import { notify } from '../../ui/notices';
import { operationErrorKey } from '../words/operation-error';
import { type ReceiptTranslator, receiptText } from '../words/receipt-text';
import { domainKeys } from './keys';

interface Watched {
  readonly routeId: string;
  readonly name: string;
  /** As DNS has it. */
  readonly domainName: string;
  readonly action: DomainAction;
  /** Version that a deploy brings back. */
  readonly rolledBackTo?: number | undefined;
}

/** The websocket reports at once; polling besides makes up for a lost event. */
const ASK_EVERY_MS = 2000;
/** Of this tab: the result of what was started here is shown here, after a reload as well. */
const STORAGE_KEY = 'domains.operations';
const watched = new Map<string, Watched>();
let timer = 0;
let isListening = false;

/** On how many nodes it is live, and how fast; undefined where that cannot be read. */
async function readProof(routeId: string, t: ReceiptTranslator, locale: string): Promise<string | undefined> {
  try {
    const { result } = await api.getReceipt({ params: { id: routeId } });
    return result?.state === 'successful' ? receiptText(result, t, createFormat(locale)) : undefined;
  } catch {
    return undefined;
  }
}

async function notifyResult({ routeId, name, action, rolledBackTo }: Watched, errorCode?: OperationError | null) {
  await needCatalogs('domain', 'errors');
  const { locale, messages } = getIntl();
  const t = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'domain.operation',
  });
  const tReceipt = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'domain.receipt.summary',
  });
  const id = `operation:${name}`;
  if (errorCode === undefined) {
    const title =
      rolledBackTo === undefined ? t(`done.${action}`, { name }) : t('done.rollback', { name, version: rolledBackTo });
    const description =
      action === 'deploy' || action === 'resume' ? await readProof(routeId, tReceipt, locale) : undefined;
    notify({ id, tone: 'success', title, description });
    return;
  }
  notify({
    id,
    tone: 'error',
    title: t(`failed.${action}`, { name }),
    description: t(operationErrorKey(errorCode)),
  });
}

function settle(operationId: string, errorCode?: OperationError | null) {
  const one = watched.get(operationId);
  if (!one) return;
  forget(operationId);
  void notifyResult(one, errorCode);
  void queryClient.invalidateQueries({ queryKey: domainKeys.lists() });
  // What is deleted is not asked for any more.
  const refetchType = one.action === 'delete' && errorCode === undefined ? 'none' : 'active';
  void queryClient.invalidateQueries({ queryKey: domainKeys.detail(one.routeId), refetchType });
}

async function ask() {
  for (const [operationId, { routeId, domainName, action }] of [...watched])
    try {
      if (action === 'delete') {
        // By its id it would be an error once it is gone.
        const { results } = await api.listRoutes({ query: { domain_name: domainName } });
        const route = results.find(({ id }) => id === routeId);
        if (route) look(route);
        else settle(operationId);
      } else {
        const { result } = await api.getRoute({ params: { id: routeId } });
        queryClient.setQueryData(domainKeys.route(routeId), result);
        look(result);
      }
    } catch (error) {
      // Anything else is asked again.
      if (isNotFound(error)) forget(operationId);
    }
}

function look(route: Pick<RouteSummary, 'id' | 'operation' | 'status'>) {
  const { operation } = route;
  for (const [operationId, one] of watched) {
    if (one.routeId !== route.id) continue;
    if (operation?.id === operationId) {
      if (operation.state === 'successful') settle(operationId);
      else if (operation.state === 'failed') settle(operationId, operation.error);
    } else if (operation === null || one.action === 'delete') {
      // The API forgets operations that are over.
      if (one.action !== 'delete' || route.status === 'deleted') settle(operationId);
    } else {
      forget(operationId);
    }
  }
}

function forget(operationId: string) {
  watched.delete(operationId);
  remember();
  if (watched.size === 0) window.clearInterval(timer);
}

function remember() {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...watched]));
  } catch {
    // Without storage a reload forgets what was started, not what it does.
  }
}

function listen() {
  if (!isListening) {
    isListening = true;
    onLiveEvent((event) => void (event.slot === 'domain' && !event.batch && watched.size > 0 && ask()));
  }
  window.clearInterval(timer);
  timer = window.setInterval(() => void ask(), ASK_EVERY_MS);
}

/** Goes on with what was started in this tab before it was loaded anew, by who is signed in now: others' is gone by then. */
async function resumeWatching() {
  await whenSessionKnown();
  if (getSession().status !== 'signed-in') return;
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, Watched][];
    for (const [operationId, one] of kept) watched.set(operationId, one);
  } catch {
    // What cannot be read gets no notice; the list shows it all the same.
  }
  if (watched.size > 0) listen();
}

/**
 * Follows an operation that was started here until it is over, then notifies: "successful" for 3 s, or why it failed.
 * Works on every screen, with and without the websocket.
 */
export function watchOperation(
  route: Pick<RouteSummary, 'id' | 'operation' | 'domain_name' | 'domain_name_unicode' | 'status'>,
  rolledBackTo?: number,
): void {
  const { operation } = route;
  if (!operation) return;
  watched.set(operation.id, {
    routeId: route.id,
    name: route.domain_name_unicode,
    domainName: route.domain_name,
    action: operation.action,
    rolledBackTo,
  });
  remember();
  listen();
  look(route);
}

void resumeWatching();
