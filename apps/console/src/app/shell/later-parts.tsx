import { ERROR_NOTICE_MS } from '@cordon/contract';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { Button } from '../../ui/button';
import { lazyPart, loadTwice } from '../../ui/lazy-part';
import { dismissNotice, useWaitingNotices } from '../../ui/notices';
import { useLeaveQuestion } from '../leave-question';

/** A while after the first screen; when the network is gone it is too late. */
const LOADED_AFTER_MS = 3000;

const importLeaveDialog = () => import('../leave-dialog');
const LeaveDialog = lazyPart(importLeaveDialog);

/** Loaded when something is said, or when it is time. */
function LaterNotices({ isTime }: { isTime: boolean }) {
  const waiting = useWaitingNotices();
  const [NoticeList, setNoticeList] = useState<ComponentType>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (NoticeList || !(isTime || waiting.length > 0)) return;
    let isCurrent = true;
    loadTwice(() => import('../../ui/notice-list')).then(
      (module) => isCurrent && setNoticeList(() => module.default),
      // What is said next asks again.
      (cause: unknown) => {
        console.error('Notices could not be loaded', cause);
        if (isCurrent) setFailed(true);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [NoticeList, isTime, waiting]);
  const last = waiting.at(-1);
  useEffect(() => {
    if (!hasFailed) return;
    const timer = window.setTimeout(() => {
      setFailed(false);
      // It was read.
      if (last) dismissNotice(last.id);
    }, ERROR_NOTICE_MS);
    return () => window.clearTimeout(timer);
  }, [hasFailed, last]);
  if (NoticeList) return <NoticeList />;
  if (!hasFailed || !last) return null;
  const { id, title, description, action } = last;
  // What was said is plain, but said: below the screen, whose height it adds to, so that nothing stays under it;
  // beside the navigation, where notices stand that nothing is in the way of.
  return (
    <div role="alert" className="pointer-events-none sticky bottom-0 z-80 py-4 md:pl-52">
      <div className="pointer-events-auto mx-4 flex max-w-md items-center gap-3 rounded-card border border-line bg-card p-4 shadow-float">
        <div className="min-w-0 flex-1 wrap-anywhere">
          <p className="font-medium">{title}</p>
          {description}
        </div>
        {action && (
          <Button
            size="sm"
            onClick={() => {
              dismissNotice(id);
              action.onPress();
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
    </div>
  );
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
