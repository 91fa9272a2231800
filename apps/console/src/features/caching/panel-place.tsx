import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { CachingPanel } from './caching-panels';

/** For as long after it, parts above that come late do not push it away. */
const SETTLING_MS = 3_000;
const HANDS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps an element at the top while what is above it grows, until somebody moves. */
function keepAtTop(element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'start' }));
  const end = () => {
    observer.disconnect();
    window.clearTimeout(timer);
    for (const hand of HANDS) window.removeEventListener(hand, end);
  };
  const timer = window.setTimeout(end, SETTLING_MS);
  for (const hand of HANDS) window.addEventListener(hand, end, { passive: true });
  observer.observe(element.ownerDocument.body);
  return end;
}

interface ArrivalProps {
  place: RefObject<HTMLElement | null>;
  isSmooth: boolean;
  onArrive: () => void;
}

/** Mounted once the panel is there: leads to its heading, for the eye, the keyboard and a screen reader. */
function Arrival({ place, isSmooth, onArrive }: ArrivalProps) {
  useEffect(() => {
    onArrive();
    const element = place.current;
    if (!element) return;
    const isMoving = isSmooth && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollIntoView({ block: 'start', behavior: isMoving ? 'smooth' : 'auto' });
    const heading = element.querySelector('h2');
    if (heading) heading.tabIndex = -1;
    heading?.focus({ preventScroll: true });
    if (!isSmooth) keepAtTop(element);
  }, [place, isSmooth, onArrive]);
  return null;
}

/** Where somebody wants to be led. */
export interface Wanted {
  readonly panel: CachingPanel;
  /** From another place of the tab, which has settled: one sees where it goes. */
  readonly isSmooth: boolean;
}

interface PanelPlaceProps {
  panel: CachingPanel;
  wanted: Wanted | undefined;
  onArrive: () => void;
  children: ReactNode;
}

/** The place of a panel that can be led to. */
export function PanelPlace({ panel, wanted, onArrive, children }: PanelPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} data-panel-place={panel}>
      {children}
      {wanted?.panel === panel && <Arrival place={place} isSmooth={wanted.isSmooth} onArrive={onArrive} />}
    </div>
  );
}
