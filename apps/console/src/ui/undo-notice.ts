import { dismissNotice, type Notice, notify } from './notices';

/** What the Undo of each notice would still take back. */
const undoable = new Map<string, Set<string>>();

/**
 * Shows a notice whose action takes `causes` back (`ban:3f…`, one for each thing). It goes once each of them is settled in
 * another way, since the action would do nothing then.
 */
export function notifyUndo(notice: Notice, causes: readonly string[]): string {
  const id = notify({
    // Of the same things it is the same notice, from whichever press.
    id: causes.length > 0 ? `undo:${causes[0]}:${causes.length}` : undefined,
    ...notice,
    onClose() {
      undoable.delete(id);
      notice.onClose?.();
    },
  });
  undoable.set(id, new Set(causes));
  return id;
}

/** These have been taken back or done anew by another way: a notice that speaks of nothing else any more goes. Asked for only while there is one. */
export function settleUndo(causes: () => readonly string[]): void {
  if (undoable.size === 0) return;
  const settled = causes();
  for (const [id, left] of undoable) {
    const isItsOwn = settled.filter((cause) => left.delete(cause)).length > 0;
    if (!isItsOwn || left.size > 0) continue;
    undoable.delete(id);
    dismissNotice(id);
  }
}
