import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { lazyPart, loadTwice } from '../../ui/lazy-part';
import { useWaitingNotices } from '../../ui/notices';
import { useLeaveQuestion } from '../leave-question';

const NOTICES_AFTER_MS = 3000;

const LeaveDialog = lazyPart(() => import('../leave-dialog'));

/** Loaded when something is said, or a while after the first screen: without a network it would be too late. */
function LaterNotices() {
  const waiting = useWaitingNotices();
  const [isTime, setTime] = useState(false);
  const [NoticeList, setNoticeList] = useState<ComponentType>();
  useEffect(() => {
    const timer = window.setTimeout(() => setTime(true), NOTICES_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, []);
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

/** The question of `askToLeave`; stays where it is if it cannot be asked. */
function LaterLeaveDialog() {
  const answer = useLeaveQuestion();
  const [wasAsked, setAsked] = useState(false);
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
  return (
    <>
      <LaterNotices />
      <LaterLeaveDialog />
    </>
  );
}
