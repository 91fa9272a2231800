import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { dismissNotice, notify } from './notices';
import { LOOK_MS, LoadError, reach } from './reach';
import { ErrorState } from './states';

/** What a dialog is closed by. */
export interface OverlayProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  onClose?: () => void;
}

export const isOverlay = (part: OverlayProps): boolean => part.onOpenChange !== undefined || part.onClose !== undefined;

interface FailedPartProps {
  cause: unknown;
  isLine: boolean;
  /** Props of the part that did not arrive. */
  part: OverlayProps;
  /** Lets the part be loaded again when it is drawn the next time. */
  onRenew: () => void;
  /** Draws the part again. */
  onRedraw: () => void;
}

/**
 * In place of a part that could not be loaded: why, and Retry; of a dialog, which has no place of its own, in a notice.
 * Where nothing answered, it loads by itself once something does.
 */
export function FailedPart({ cause, isLine, part, onRenew, onRedraw }: FailedPartProps) {
  const t = useTranslations('ui');
  const { open = true } = part;
  const isDialog = isOverlay(part);
  const why = cause instanceof LoadError ? cause.reason : 'part';
  const reason = t(`error.${why}`);
  const isOffline = why === 'network' || why === 'unavailable';
  const isGone = why === 'release';
  const again = () => {
    if (isGone) return window.location.reload();
    onRenew();
    onRedraw();
  };
  const label = t(isGone ? 'error.reload' : 'retry');
  const latest = useRef({ part, again });
  latest.current = { part, again };
  // Asked for once more, it is loaded once more.
  useEffect(() => onRenew, [onRenew]);
  // Listens from when it is drawn on: the network may be back the moment after.
  useLayoutEffect(() => {
    if (isDialog && !open) return onRenew();
    const { onOpenChange, onClose } = latest.current.part;
    const id =
      isDialog &&
      notify({
        id: 'failed-part',
        tone: 'error',
        title: reason,
        action: {
          label,
          onPress() {
            latest.current.again();
            onOpenChange?.(true);
          },
        },
        onClose,
      });
    // Pressed once more, what opens it opens it.
    onOpenChange?.(false);
    if (!isOffline) return;
    const end = () => (id ? dismissNotice(id) : latest.current.again());
    window.addEventListener('online', end);
    const timer = window.setInterval(() => void reach('/').then(end, () => {}), LOOK_MS);
    return () => {
      window.removeEventListener('online', end);
      window.clearInterval(timer);
    };
  }, [isDialog, isOffline, open, reason, label, onRenew]);
  if (isDialog) return null;
  return (
    <ErrorState
      isLine={isLine}
      isOffline={isOffline}
      reasons={[reason]}
      retryLabel={label}
      onRetry={again}
      className="rounded-card border border-line bg-card"
    />
  );
}
