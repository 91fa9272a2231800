import clsx from 'clsx';

const WIDTH = 64;
const HEIGHT = 18;
/** Outside of what is drawn: the sides and the floor of the area are not lines of the chart. */
const OUTSIDE = 2;

/** The least that is as high as the chart: a few requests are no peak. */
const TOP = 10;

/** Area under the values, from zero to the highest of them. */
export function sparkPath(values: readonly number[]): string {
  const highest = Math.max(TOP, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const height = (value: number) => (HEIGHT - 1 - (value / highest) * (HEIGHT - 2)).toFixed(1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)} ${height(value)}`);
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return `M-${OUTSIDE} ${HEIGHT + OUTSIDE}V${height(first)}L${points.join('L')}L${WIDTH + OUTSIDE} ${height(last)}V${HEIGHT + OUTSIDE}Z`;
}

/** A line without axes beside the number that it belongs to: one path, which many rows can afford. */
export function Sparkline({ values, isFailing }: { values: readonly number[]; isFailing?: boolean }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      // Where there is less room, the last hours are not what is left out.
      preserveAspectRatio="none"
      aria-hidden
      className={clsx('block max-w-full overflow-hidden', isFailing ? 'text-danger' : 'text-primary-ink')}
    >
      <path
        d={sparkPath(values)}
        fill="currentColor"
        fillOpacity={0.14}
        stroke="currentColor"
        strokeWidth={1.4}
        strokeLinejoin="round"
      />
    </svg>
  );
}
