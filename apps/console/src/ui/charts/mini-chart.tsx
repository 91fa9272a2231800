const tones = {
  neutral: 'var(--muted)',
  primary: 'var(--chart-1)',
  blocked: 'var(--chart-2)',
  danger: 'var(--danger)',
} as const;

const HEIGHT = 24;

interface MiniChartProps {
  values: readonly number[];
  /** Points before the first of them, of which nothing is known: they only give it its place. */
  before?: number;
  tone: keyof typeof tones;
  /** As high as the chart; a larger value is then. */
  top: number;
  /** The last one is still being counted: the way to it is dashed, as in the large charts. */
  isLastPartial?: boolean;
}

/** The course of a number beside it, without axes: decoration, the number and its change carry the meaning. */
export function MiniChart({ values, before = 0, tone, top, isLastPartial = false }: MiniChartProps) {
  const largest = Math.max(1e-9, top, ...values);
  const last = Math.max(1, before + values.length - 1);
  const heights = values.map((value) => (HEIGHT - 1 - (value / largest) * (HEIGHT - 2)).toFixed(2));
  // One alone is as wide as half of what it counts.
  const places = values.length === 1 ? [last - 0.5, last] : values.map((_, index) => before + index);
  const points = places.map((x, index) => `${x} ${heights[index] ?? heights[0]}`);
  const lineOf = (from: number, to?: number) => (
    <path
      d={`M${points.slice(from, to).join('L')}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeDasharray={from > 0 ? '3 3' : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${last} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-2 block h-6 w-full"
      color={tones[tone]}
    >
      {values.length > 0 && (
        <>
          <path
            d={`M${places[0]} ${HEIGHT}L${points.join('L')}L${last} ${HEIGHT}Z`}
            fill="currentColor"
            opacity={0.15}
          />
          {lineOf(0, isLastPartial ? -1 : undefined)}
          {isLastPartial && lineOf(points.length - 2)}
        </>
      )}
    </svg>
  );
}
