import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactNode, RefObject } from 'react';

interface TooltipPopupProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  side: 'top' | 'bottom' | 'left' | 'right';
  onClose: () => void;
  children: ReactNode;
}

/** The part of `Tooltip` that is loaded when one is first shown. */
export default function TooltipPopup({ id, anchor, side, onClose, children }: TooltipPopupProps) {
  return (
    <BaseTooltip.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner
          anchor={anchor}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 pointer-events-none"
        >
          <BaseTooltip.Popup
            id={id}
            role="tooltip"
            className="max-w-72 rounded-control bg-ink px-2.5 py-1.5 text-sm text-card shadow-float wrap-anywhere"
          >
            {children}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
