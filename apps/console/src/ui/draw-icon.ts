import type { IconNode } from 'lucide-react';
import { createElement, type SVGProps } from 'react';

/** What a file of lucide-react holds of its icon. */
interface IconData {
  name: string;
  size: number;
  node: IconNode;
}

/**
 * What builds put in the place of lucide-react's createLucideIcon (vite.config.ts): the same component, without names in
 * kebab case, contexts and strokes that do not scale, which would cost the shell 1 kB. An icon without a label is
 * hidden from screen readers.
 */
export default function drawIcon({ name, size: box, node }: IconData) {
  return ({ size = box, ...attributes }: SVGProps<SVGSVGElement> & { size?: number }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: `0 0 ${box} ${box}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': !attributes['aria-label'],
        ...attributes,
        className: `lucide lucide-${name} ${attributes.className ?? ''}`,
      },
      node.map(([tag, shape]) => createElement(tag, shape)),
    );
}
