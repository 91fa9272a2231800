import {
  cloneElement,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

const TooltipPopup = lazy(() => import('./tooltip-popup'));
const OPEN_DELAY_MS = 350;

export interface TooltipProps {
  content: ReactNode;
  /** One element that takes `ref`, pointer and focus handlers. It must be understandable without the tooltip. */
  children: ReactElement<Record<string, unknown>>;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/** A hint on hover and focus; nothing but handlers is mounted before its first use. */
export function Tooltip({ content, children, side = 'top' }: TooltipProps) {
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef(0);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  function openSoon(delay: number) {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(true), delay);
  }
  function close() {
    window.clearTimeout(timer.current);
    setOpen(false);
  }
  return (
    <>
      {cloneElement(children, {
        ref: anchor,
        'aria-describedby': isOpen ? id : children.props['aria-describedby'],
        title: undefined,
        onPointerEnter: (event: PointerEvent) => event.pointerType !== 'touch' && openSoon(OPEN_DELAY_MS),
        onPointerLeave: close,
        onFocus: () => anchor.current?.matches(':focus-visible') && openSoon(0),
        onBlur: close,
        onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && close(),
      })}
      {isOpen && (
        <Suspense fallback={null}>
          <TooltipPopup id={id} anchor={anchor} side={side} onClose={close}>
            {content}
          </TooltipPopup>
        </Suspense>
      )}
    </>
  );
}
