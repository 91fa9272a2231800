import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { lazyPart, loadTwice } from '../../ui/lazy-part';
import { useWaitingNotices } from '../../ui/notices';
import { useLeaveQuestion } from '../leave-question';

/** A while after the first screen; when the network is gone it is too late. */
const LOADED_AFTER_MS = 3000;

const importLeaveDialog = () => import('../leave-dialog');
const LeaveDialog = lazyPart(importLeaveDialog);

/** Loaded when something is said, or when it is time. */
function LaterNotices({ isTime }: { isTime: boolean }) {
  const waiting = useWaitingNotices();
  const [NoticeList, setNoticeList] = useState<ComponentType>();
  useEffect(() => {
    if (NoticeList || !(isTime || waiting.length > 0)) return;
    let isCurrent = true;
    loadTwice(() => import('../../ui/notice-list')).then(
      (module) => isCurrent && setNoticeList(() => module.default),
      // What is said next asks again.
      (cause: unknown) => console.error('Notices could not be loaded', cause),
    );
    return () => {
      isCurrent = false;
    };
  }, [NoticeList, isTime, waiting]);
  return NoticeList ? <NoticeList /> : null;
}

/** The question of `askToLeave`, loaded when it is asked, or when it is time; stays where it is if it cannot be asked. */
function LaterLeaveDialog({ isTime }: { isTime: boolean }) {
  const answer = useLeaveQuestion();
  const [wasAsked, setAsked] = useState(false);
  useEffect(() => {
    // What did not arrive is asked for again by the question.
    if (isTime) void loadTwice(importLeaveDialog).catch(() => undefined);
  }, [isTime]);
  if (answer && !wasAsked) setAsked(true);
  if (!wasAsked) return null;
  return (
    <Suspense fallback={null}>
      <LeaveDialog open={answer !== undefined} onOpenChange={(open) => !open && answer?.(false)} />
    </Suspense>
  );
}

/** What stands over every screen, and comes after the first one. */
export function LaterParts() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setTime(true), LOADED_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <>
      <LaterNotices isTime={isTime} />
      <LaterLeaveDialog isTime={isTime} />
    </>
  );
}
