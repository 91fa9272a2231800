import { Toast } from '@base-ui/react/toast';
import { NOTICE_MS } from '@cordon/contract';
import clsx from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button';
import { findFocusAfter } from './lost-focus';
import { anchorNotices, type Box, placeNotices } from './notice-place';
import { connectNotices, type Notice, type NoticeTone, noticeDurationMs } from './notices';
import { RequestId } from './request-id';

const manager = Toast.createToastManager<{ requestId: string | undefined }>();

const outlet = {
  show({ id, tone = 'info', title, description, requestId, durationMs, action, onClose }: Notice & { id: string }) {
    let isPressed = false;
    // Once: the button stays while the notice fades.
    const press = () => {
      if (isPressed) return;
      isPressed = true;
      manager.close(id);
      action?.onPress();
    };
    manager.add({
      id,
      title,
      description,
      data: { requestId },
      type: tone,
      timeout: durationMs ?? noticeDurationMs(tone),
      priority: tone === 'error' ? 'high' : 'low',
      actionProps: action && { children: action.label, onClick: press },
      onClose: () => isPressed || onClose?.(),
      // Pressed by keyboard, its button had the focus.
      onRemove: () => findFocusAfter(false),
    });
  },
  close: (id: string) => manager.close(id),
};

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleAlert };
const iconTones = { info: 'text-primary-ink', success: 'text-success', warning: 'text-warning', error: 'text-danger' };

const PLACE_EVERY_MS = 100;

/**
 * Keeps notices off what is pressed next, also when a dialog, a bar or another screen comes while they stand. Where there
 * is no room for all, they go one by one, the oldest first, and what failed last.
 */
function usePlace(shown: readonly Toast.Root.ToastObject[]) {
  // In the state, because the portal comes after its first effects.
  const [notices, setNotices] = useState<HTMLDivElement | null>(null);
  const box = useRef<Box>(undefined);
  /** What stands there, and how high it is. */
  const placed = useRef('');
  useLayoutEffect(() => {
    if (!notices) return;
    if (shown.length === 0) {
      box.current = undefined;
      placed.current = '';
      anchorNotices(notices);
      return;
    }
    let timer: number | undefined;
    const place = () => {
      timer = undefined;
      // What one reads or is about to press stays where it is.
      if (box.current && notices.matches(':hover, :focus-within')) return;
      const { box: next, isInTheWay } = placeNotices(notices, box.current);
      box.current = next;
      const isOneGoing = shown.some(({ transitionStatus }) => transitionStatus === 'ending');
      const leastDue = shown.findLast(({ type }) => type !== 'error') ?? shown.at(-1);
      if (isInTheWay && shown.length > 1 && !isOneGoing) manager.close(leastDue?.id);
    };
    const later = () => {
      timer ??= window.setTimeout(place, PLACE_EVERY_MS);
    };
    // Base UI tells of each a second time once it has measured it.
    const now = `${shown.map(({ id, transitionStatus }) => `${id} ${transitionStatus}`).join()} ${notices.offsetHeight}`;
    if (now !== placed.current) place();
    placed.current = now;
    // A dialog that goes as they come has still been before everything.
    later();
    const observer = new MutationObserver((changes) => {
      if (changes.some(({ target }) => !notices.contains(target))) later();
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled', 'hidden', 'data-open'],
    });
    window.addEventListener('resize', later);
    // Sheets slide to where their buttons are pressed.
    document.addEventListener('transitionend', later);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      window.removeEventListener('resize', later);
      document.removeEventListener('transitionend', later);
    };
  }, [notices, shown]);
  return setNotices;
}

function Notices() {
  const t = useTranslations('ui');
  const { toasts } = Toast.useToastManager<{ requestId: string | undefined }>();
  const placed = usePlace(toasts);
  return (
    <Toast.Portal>
      <Toast.Viewport
        ref={placed}
        data-notices=""
        aria-label={t('notices.region')}
        className="pointer-events-none fixed z-70 flex flex-col gap-2 outline-none"
      >
        {toasts.map((toast) => {
          const tone = (toast.type ?? 'info') as NoticeTone;
          const Icon = icons[tone];
          return (
            <Toast.Root
              key={toast.id}
              toast={toast}
              data-notice=""
              // Base UI hides what it has said aloud; its buttons are for everybody.
              aria-hidden={false}
              swipeDirection={['right', 'down']}
              className={clsx(
                'pointer-events-auto rounded-card border border-line bg-card shadow-float select-text',
                'translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) transition-[opacity,scale] duration-200',
                'data-starting-style:scale-95 data-starting-style:opacity-0 data-ending-style:opacity-0',
              )}
            >
              <Toast.Content className="flex items-start gap-3 p-4">
                <Icon size={18} aria-hidden className={clsx('mt-px shrink-0', iconTones[tone])} />
                <div className="min-w-0 flex-1">
                  <Toast.Title className="font-medium wrap-anywhere" render={<p />} />
                  <Toast.Description className="mt-0.5 text-sm text-muted wrap-anywhere" render={<div />} />
                  {toast.data?.requestId && <RequestId id={toast.data.requestId} />}
                  <Toast.Action className="mt-1.5 font-medium text-primary-ink hover:underline empty:hidden" />
                </div>
                <Toast.Close
                  // In collapsed stacks as well; ours is always spread out.
                  aria-hidden={false}
                  render={
                    <IconButton
                      label={t('notices.dismiss')}
                      icon={<X size={16} />}
                      size="sm"
                      className="-my-1.5 -mr-1.5"
                    />
                  }
                />
              </Toast.Content>
            </Toast.Root>
          );
        })}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

/** Mount once; `notify` shows here, also what was said before. Notices stack, at most six at once. */
export default function NoticeList() {
  // After the provider's own effect, which begins to listen.
  useEffect(() => connectNotices(outlet), []);
  return (
    <Toast.Provider toastManager={manager} limit={6} timeout={NOTICE_MS}>
      <Notices />
    </Toast.Provider>
  );
}
