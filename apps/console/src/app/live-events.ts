import { API_BASE, type WebsocketSlot } from '@cordon/contract';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { accessToken, onTokenChange } from './session/session';

/** One event of the API's websocket. */
export interface LiveEvent {
  type: 'event';
  slot: WebsocketSlot;
  id: string;
  [detail: string]: unknown;
}

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

function setStatus(next: LiveStatus) {
  if (next === status) return;
  status = next;
  for (const listener of statusListeners) listener();
}

function authenticate() {
  const token = accessToken();
  if (!token || socket?.readyState !== WebSocket.OPEN) return;
  // The token is never in the URL, which proxies log. `last_event_id` asks for what was missed.
  socket.send(
    JSON.stringify({ type: 'auth', token, ...(lastEventId !== undefined && { last_event_id: lastEventId }) }),
  );
}

function receive(message: MessageEvent<unknown>) {
  let event: LiveEvent | { type: string };
  try {
    event = JSON.parse(String(message.data)) as LiveEvent;
  } catch {
    return;
  }
  if (event.type === 'ready') {
    failures = 0;
    setStatus('up');
  }
  if (event.type !== 'event') return;
  failures = 0;
  setStatus('up');
  lastEventId = (event as LiveEvent).id;
  for (const handler of handlers) handler(event as LiveEvent);
}

function connect() {
  if (!accessToken()) return;
  const opened = new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}${API_BASE}ws/`);
  socket = opened;
  opened.addEventListener('open', authenticate);
  opened.addEventListener('message', receive);
  opened.addEventListener('close', () => {
    if (socket !== opened) return;
    setStatus('down');
    const pause = BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] ?? 0;
    failures += 1;
    // Spread, so that a restarted server is not met by every console at the same moment.
    retryTimer = window.setTimeout(connect, pause * (0.5 + Math.random()));
  });
}

/** Connects once somebody is signed in, and again with back-off whenever the connection is lost. */
export function startLiveEvents(): void {
  if (isStarted) return;
  isStarted = true;
  connect();
  onTokenChange(() => (socket?.readyState === WebSocket.OPEN ? authenticate() : undefined));
  window.addEventListener('online', () => {
    if (status === 'up') return;
    window.clearTimeout(retryTimer);
    failures = 0;
    connect();
  });
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

/** `refetchInterval` of a query that watches something: polls only while the websocket does not tell. */
export function useLiveInterval(isWatching = true): number | false {
  return useLiveStatus() === 'up' || !isWatching ? false : POLLING_MS;
}
