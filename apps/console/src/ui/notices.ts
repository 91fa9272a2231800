import { ERROR_NOTICE_MS, NOTICE_MS } from '@cordon/contract';
import { type ReactNode, useSyncExternalStore } from 'react';

export type NoticeTone = 'info' | 'success' | 'warning' | 'error';

export interface Notice {
  /** The same id replaces the notice that is shown and starts its time again. */
  id?: string;
  tone?: NoticeTone;
  title: ReactNode;
  description?: ReactNode;
  /** Of the call that failed, where support may be asked. */
  requestId?: string | undefined;
  /** Milliseconds; by default 3 s, errors 6 s; 0 stays until dismissed. Hover and focus hold the time. */
  durationMs?: number;
  /** Pressing it takes the notice away. */
  action?: { label: string; onPress: () => void };
  /** What it speaks of is on this screen, or on this tab of it: it goes when that is left. */
  isOf?: 'screen' | 'tab';
  /** It was dismissed or its time is over; not when its action was pressed or another replaces it. */
  onClose?: () => void;
}

/** What failed, in words. */
export interface Failure {
  title: string;
  description?: string | undefined;
  /** Of the service's own errors. */
  requestId?: string | undefined;
}

/** What shows notices (`notice-list.tsx`). It is loaded after the first screen. */
interface NoticeOutlet {
  show(notice: Notice & { id: string }): void;
  close(id: string): void;
}

/** Said again so soon, the same words are of one press: each of several presses of a write gets its one answer. */
const SAME_PRESS_MS = 1_000;

let outlet: NoticeOutlet | undefined;
let count = 0;
let latest: (Notice & { id: string; at: number }) | undefined;
const ofScreen = new Map<string, 'screen' | 'tab'>();
let waiting: readonly (Notice & { id: string })[] = [];
const listeners = new Set<() => void>();

function setWaiting(next: typeof waiting) {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Default time of a notice by its tone (specification, section 8). */
export function noticeDurationMs(tone: NoticeTone = 'info'): number {
  return tone === 'error' ? ERROR_NOTICE_MS : NOTICE_MS;
}

/** Of one without an action, which might do something else each time. */
const isSaidAgain = ({ tone, title, description, action }: Notice): boolean =>
  !action &&
  latest !== undefined &&
  latest.title === title &&
  latest.tone === tone &&
  latest.description === description &&
  Date.now() - latest.at < SAME_PRESS_MS;

/** Shows a notice; callable from anywhere. The same id again replaces the notice. */
export function notify(notice: Notice): string {
  count += 1;
  const id = notice.id ?? (isSaidAgain(notice) ? latest?.id : undefined) ?? `notice-${count}`;
  latest = { ...notice, id, at: Date.now() };
  if (notice.isOf) ofScreen.set(id, notice.isOf);
  else ofScreen.delete(id);
  if (outlet) outlet.show({ ...notice, id });
  else setWaiting([...waiting.filter((one) => one.id !== id), { ...notice, id }]);
  return id;
}

/** Takes a notice away that is not true any more. */
export function dismissNotice(id: string): void {
  if (outlet) outlet.close(id);
  else setWaiting(waiting.filter((one) => one.id !== id));
}

/** Takes away what was said of the screen that is left, or only of its tab. */
export function dismissScreenNotices(isOfTab = false): void {
  for (const [id, isOf] of ofScreen) {
    if (isOfTab && isOf !== 'tab') continue;
    dismissNotice(id);
    ofScreen.delete(id);
  }
}

/** Shows what was said before, and all that is said from now on; answers how to stop. */
export function connectNotices(next: NoticeOutlet): () => void {
  outlet = next;
  for (const notice of waiting) next.show(notice);
  setWaiting([]);
  return () => {
    outlet = undefined;
  };
}

/** What was said and nothing has shown yet. */
export function useWaitingNotices(): typeof waiting {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
}
