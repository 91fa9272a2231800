import uPlot from 'uplot';
import type { Format } from '../format';
import { type Buckets, type TimeSeries, toneVariable } from './chart-types';
import { bucketAt, hasPartial } from './plot-data';

interface PlotOptionsInput {
  series: readonly TimeSeries[];
  buckets: Buckets | undefined;
  element: HTMLElement;
  height: number;
  format: Format;
  timeZone: string | undefined;
  formatTick: (value: number, largest: number) => string;
  /** Index of the point under the cursor and its place from the left edge; null when the cursor leaves. */
  onCursor: (index: number | null, left: number) => void;
  onRangeSelect: ((from: number, to: number) => void) | undefined;
  /** Read with each drawing. */
  marksNow: () => readonly number[];
  wholeNow: () => number | undefined;
}

const DAY_SECONDS = 86_400;
/** Steps of the axis: what is counted comes in whole numbers. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
/** Steps between two labels of time, in seconds. None is more than double the one before: few labels would be left. */
const TIME_STEPS = [
  ...[1, 60].flatMap((unit) => [1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * unit)),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * 3600),
  ...[1, 2, 3, 4, 7, 10, 15, 30, 60, 90, 120, 180, 365].map((days) => days * DAY_SECONDS),
];
const FONT = '12px "Inter Variable", system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif';

/** Axis words: hours of the day up to two days, days beyond; where a new day begins it is named. */
export function timeTicks(
  format: Format,
  splits: readonly number[],
  incrementSeconds: number,
  timeZone?: string,
): string[] {
  let lastDay = '';
  return splits.map((split) => {
    const moment = split * 1000;
    const day = new Intl.DateTimeFormat(format.locale.startsWith('zh') ? 'zh-CN' : 'en-US', {
      month: 'short',
      day: 'numeric',
      ...(timeZone && { timeZone }),
    }).format(moment);
    if (incrementSeconds >= DAY_SECONDS) return day;
    const time = format.time(moment, incrementSeconds < 60);
    const text = day === lastDay || lastDay === '' ? time : `${time}\n${day}`;
    lastDay = day;
    return text;
  });
}

/** Times of the points, without the end of the last bucket. */
const timesOf = (plot: uPlot, buckets: Buckets): readonly number[] =>
  (plot.data[0] as number[]).slice(0, hasPartial(buckets) ? -2 : -1);

type ColourOf = (variable: string) => string;

function axesOf(colour: ColourOf, { format, formatTick, timeZone }: PlotOptionsInput): uPlot.Axis[] {
  return [
    {
      stroke: colour('--muted'),
      font: FONT,
      grid: { show: false },
      ticks: { show: false },
      gap: 6,
      size: (_, values) => (values?.some((value) => value.includes('\n')) ? 44 : 28),
      space: 72,
      incrs: TIME_STEPS,
      values: (_, splits, __, ___, increment) => timeTicks(format, splits, increment, timeZone),
    },
    {
      stroke: colour('--muted'),
      font: FONT,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      gap: 8,
      incrs: WHOLE_STEPS,
      size: (plot, values) => {
        plot.ctx.save();
        plot.ctx.font = FONT;
        const width = Math.max(24, ...(values ?? []).map((value) => plot.ctx.measureText(value).width));
        plot.ctx.restore();
        return Math.ceil(width) + 12;
      },
      values: (_, splits) => splits.map((value) => formatTick(value, Math.max(...splits))),
    },
  ];
}

/** The area under a line, fading to nothing. */
const fadingFill = (stroke: string) => (plot: uPlot) => {
  const gradient = plot.ctx.createLinearGradient(0, plot.bbox.top, 0, plot.bbox.top + plot.bbox.height);
  // Eight-digit hex: a canvas fades `transparent` through black.
  gradient.addColorStop(0, `${stroke}38`);
  gradient.addColorStop(1, `${stroke}00`);
  return gradient;
};

/** The lines; those of what is still being counted come once more, dashed. */
function linesOf(series: readonly TimeSeries[], buckets: Buckets | undefined, colour: ColourOf): uPlot.Series[] {
  return (hasPartial(buckets) ? [false, true] : [false]).flatMap((isPartial) =>
    series.map((one, index): uPlot.Series => {
      const stroke = colour(toneVariable(one, index));
      return {
        label: one.label,
        stroke,
        width: 2,
        points: { show: false },
        ...(buckets && { paths: uPlot.paths.stepped?.({ align: 1 }) }),
        ...(isPartial && { dash: [4, 4] }),
        ...((one.area ?? index === 0) && { fill: fadingFill(stroke) }),
      };
    }),
  );
}

/** Upright lines at the marked moments that are in sight. */
function drawMarks(plot: uPlot, times: readonly number[], stroke: string): void {
  const { ctx, bbox, scales } = plot;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const time of times) {
    if (time < (scales.x?.min ?? 0) || time > (scales.x?.max ?? 0)) continue;
    const left = Math.round(plot.valToPos(time, 'x', true));
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function hooksOf({ buckets, onCursor, onRangeSelect, marksNow, element }: PlotOptionsInput): uPlot.Hooks.Arrays {
  return {
    draw: [(plot) => drawMarks(plot, marksNow(), getComputedStyle(element).getPropertyValue('--muted').trim())],
    setCursor: [
      (plot) => {
        const { left } = plot.cursor;
        const idx = plot.cursor.idx;
        if (idx === null || idx === undefined || left === undefined || left < 0) onCursor(null, 0);
        else
          onCursor(
            buckets ? bucketAt(timesOf(plot, buckets), plot.posToVal(left, 'x')) : idx,
            left + plot.bbox.left / devicePixelRatio,
          );
      },
    ],
    setSelect: [
      (plot) => {
        if (plot.select.width < 4) return;
        onRangeSelect?.(plot.posToVal(plot.select.left, 'x'), plot.posToVal(plot.select.left + plot.select.width, 'x'));
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      },
    ],
  };
}

/** Options of a uPlot in the current theme and language. */
export function plotOptions(input: PlotOptionsInput): uPlot.Options {
  const { series, buckets, element, height, timeZone, onRangeSelect, wholeNow } = input;
  const style = getComputedStyle(element);
  const colour = (variable: string) => style.getPropertyValue(variable).trim();
  return {
    width: Math.floor(element.clientWidth) || 600,
    height,
    // At the end, half of the widest label: a day in Chinese.
    padding: [6, 28, 0, 0],
    legend: { show: false },
    ...(timeZone && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), timeZone) }),
    cursor: {
      y: false,
      drag: { x: onRangeSelect !== undefined, y: false, setScale: false },
      points: { size: 7, show: !buckets },
    },
    scales: { y: { range: (_, __, maximum) => [0, (wholeNow() ?? (maximum || 1)) * 1.08] } },
    axes: axesOf(colour, input),
    series: [{}, ...linesOf(series, buckets, colour)],
    hooks: hooksOf(input),
  };
}
