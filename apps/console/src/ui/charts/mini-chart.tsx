const tones = {
  neutral: 'var(--muted)',
  primary: 'var(--chart-1)',
  blocked: 'var(--chart-2)',
  danger: 'var(--danger)',
} as const;

const HEIGHT = 24;

interface MiniChartProps {
  values: readonly number[];
  tone: keyof typeof tones;
  /** As high as the chart; a larger value is then. */
  top: number;
  /** The last one is still being counted: the way to it is dashed, as in the large charts. */
  isLastPartial?: boolean;
}

/** The course of a number beside it, without axes: decoration, the number and its change carry the meaning. */
export function MiniChart({ values, tone, top, isLastPartial = false }: MiniChartProps) {
  const largest = Math.max(1e-9, top, ...values);
  const last = Math.max(1, values.length - 1);
  const points = values.map((value, x) => `${x} ${(HEIGHT - 1 - (value / largest) * (HEIGHT - 2)).toFixed(2)}`);
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
      {values.length > 1 && (
        <>
          <path d={`M0 ${HEIGHT}L${points.join('L')}L${last} ${HEIGHT}Z`} fill="currentColor" opacity={0.15} />
          {lineOf(0, isLastPartial ? -1 : undefined)}
          {isLastPartial && lineOf(last - 1)}
        </>
      )}
    </svg>
  );
}
