import {
  API_BASE,
  type WebsocketAuth,
  type WebsocketEvent,
  type WebsocketMessage,
  type WebsocketSlot,
} from '@cordon/contract';
import { onlineManager } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { queryClient } from './api-client';
import { getBrand } from './brand';
import { accessToken, onTokenChange } from './session/session';

/** One event of the API's websocket. */
export type LiveEvent = WebsocketEvent;

export type LiveStatus = 'connecting' | 'up' | 'down';

const BACK_OFF_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
/** While the websocket is down, lists that watch something ask again this often. */
export const POLLING_MS = 5000;

let socket: WebSocket | undefined;
let status: LiveStatus = 'connecting';
let lastEventId: string | undefined;
let failures = 0;
let retryTimer = 0;
let isStarted = false;
const statusListeners = new Set<() => void>();
const handlers = new Set<(event: LiveEvent) => void>();

/** What could not be read would say so until somebody presses Retry. */
const readFailedAgain = () =>
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
/** What failed together is read again together. */
const onRetry = ({ target }: Event) => (target as Element).closest('[data-retry]') && readFailedAgain();

function setStatus(next: LiveStatus) {
  if (next === status) return;
  status = next;
  if (next === 'up') readFailedAgain();
  for (const listener of statusListeners) listener();
}

function authenticate() {
  const token = accessToken();
  if (!token || socket?.readyState !== WebSocket.OPEN) return;
  // The token is never in the URL, which proxies log. `last_event_id` asks for what was missed.
  socket.send(
    JSON.stringify({
      type: 'auth',
      token,
      realm: getBrand().oidc.realm,
      ...(lastEventId !== undefined && { last_event_id: lastEventId }),
    } satisfies WebsocketAuth),
  );
}

function receive(message: MessageEvent<unknown>) {
  let event: WebsocketMessage;
  try {
    event = JSON.parse(String(message.data)) as WebsocketMessage;
  } catch {
    return;
  }
  if (event.type === 'resync') {
    // What was missed is no longer kept: everything on the screen is asked for anew.
    void queryClient.invalidateQueries();
    return;
  }
  failures = 0;
  setStatus('up');
  if (event.type === 'ready') {
    lastEventId ??= event.last_event_id;
    return;
  }
  lastEventId = event.event_id;
  for (const handler of handlers) handler(event);
}

function connect() {
  if (!accessToken()) return;
  const before = socket;
  const opened = new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}${API_BASE}ws/`);
  socket = opened;
  before?.close();
  opened.addEventListener('open', authenticate);
  opened.addEventListener('message', receive);
  opened.addEventListener('close', () => {
    if (socket !== opened) return;
    setStatus('down');
    const pause = BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] ?? 0;
    failures += 1;
    // Spread, so that a restarted server is not met by every console at the same moment.
    retryTimer = window.setTimeout(reconnect, pause * (0.5 + Math.random()));
  });
}

/** The API may answer although its websocket does not, behind a proxy for example. */
function reconnect() {
  if (navigator.onLine) readFailedAgain();
  connect();
}

/** With a new token or a network that is back: a session that was signed out meanwhile had no token to connect with. */
function renew() {
  if (status === 'up') return authenticate();
  window.clearTimeout(retryTimer);
  failures = 0;
  connect();
}

/** Connects once a user is signed in, and again with back-off whenever the connection is lost. */
export function startLiveEvents(): void {
  if (isStarted) return;
  isStarted = true;
  connect();
  onTokenChange(renew);
  window.addEventListener('online', renew);
  document.addEventListener('click', onRetry);
}

/** Calls back with every event; answers how to stop. */
export function onLiveEvent(handler: (event: LiveEvent) => void): () => void {
  handlers.add(handler);
  return () => handlers.delete(handler);
}

/** Calls back with the events of one slot while the component is there. */
export function useLiveEvents(slot: WebsocketSlot, handler: (event: LiveEvent) => void): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => onLiveEvent((event) => event.slot === slot && latest.current(event)), [slot]);
}

/** Whether the browser says that it has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}

/** Whether events arrive. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    (listener) => {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    () => status,
  );
}

/** `refetchInterval` of a query that watches something: polls only while the websocket is down. */
export function useLiveInterval(isWatching = true): number | false {
  return useLiveStatus() === 'up' || !isWatching ? false : POLLING_MS;
}
