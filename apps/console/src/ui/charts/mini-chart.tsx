const tones = {
  neutral: 'var(--muted)',
  primary: 'var(--chart-1)',
  blocked: 'var(--chart-2)',
  danger: 'var(--danger)',
} as const;

const HEIGHT = 24;

/** The course of a number beside it, without axes: decoration, the number and its change carry the meaning. */
export function MiniChart({ values, tone }: { values: readonly number[]; tone: keyof typeof tones }) {
  const largest = Math.max(1e-9, ...values);
  const last = Math.max(1, values.length - 1);
  const line = values.map((value, x) => `${x} ${(HEIGHT - 1 - (value / largest) * (HEIGHT - 2)).toFixed(2)}`).join('L');
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
          <path d={`M0 ${HEIGHT}L${line}L${last} ${HEIGHT}Z`} fill="currentColor" opacity={0.15} />
          <path d={`M${line}`} fill="none" stroke="currentColor" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
}
