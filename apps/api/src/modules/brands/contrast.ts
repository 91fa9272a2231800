/** WCAG 2.2 contrast, and the mix that the console's dark theme makes of a brand's colour (`ui/tokens.css`). */

type Channels = readonly [red: number, green: number, blue: number];

/** AA for text of normal size (WCAG 2.2, 1.4.3). */
export const CONTRAST_AA = 4.5;

const channelsOf = (hex: string): Channels => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255].map((channel) => channel / 255) as unknown as Channels;
};

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const fromLinear = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;

const luminance = (hex: string): number => {
  const [red, green, blue] = channelsOf(hex);
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
};

/** Contrast ratio of two `#rrggbb` colours, 1 to 21. */
export function contrastRatio(first: string, second: string): number {
  const [lighter, darker] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

const toOklab = (hex: string): Channels => {
  const [r, g, b] = channelsOf(hex).map(toLinear) as unknown as Channels;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};

const fromOklab = ([lightness, a, b]: Channels): string => {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((channel) => Math.round(255 * Math.min(1, Math.max(0, fromLinear(channel)))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** CSS `color-mix(in oklab, first share, second)`, `share` from 0 to 1. */
export function mixInOklab(first: string, share: number, second: string): string {
  const [from, to] = [toOklab(first), toOklab(second)];
  return fromOklab(from.map((value, index) => value * share + (to[index] ?? 0) * (1 - share)) as unknown as Channels);
}

export interface BrandColors {
  readonly primary: string;
  readonly primary_dark: string;
  readonly soft: string;
  readonly soft_dark: string;
}

/** Surfaces of the console that a brand's colours lie on (`ui/tokens.css`). */
const LIGHT = { surfaces: ['#ffffff', '#f6f7fb', '#f1f3f8'], ink: '#10182b' } as const;
const DARK = { surfaces: ['#171a21', '#101217', '#1d212a'], ink: '#e8ebf2' } as const;
const DARK_INK_SHARE = 0.55;

/** Every pair of text and ground that the console makes of a brand's colours, with its ratio. */
export function brandContrasts(colors: BrandColors): { what: string; ratio: number }[] {
  const darkInk = mixInOklab(colors.primary_dark, DARK_INK_SHARE, '#ffffff');
  const pairs: [what: string, text: string, ground: string][] = [
    ['white on primary', '#ffffff', colors.primary],
    ['white on primary_dark', '#ffffff', colors.primary_dark],
    ['primary on soft', colors.primary, colors.soft],
    ['ink on soft', LIGHT.ink, colors.soft],
    ['lightened primary_dark on soft_dark', darkInk, colors.soft_dark],
    ['ink on soft_dark', DARK.ink, colors.soft_dark],
    ...LIGHT.surfaces.map((surface) => [`primary on ${surface}`, colors.primary, surface] as [string, string, string]),
    ...DARK.surfaces.map(
      (surface) => [`lightened primary_dark on ${surface}`, darkInk, surface] as [string, string, string],
    ),
  ];
  return pairs.map(([what, text, ground]) => ({ what, ratio: contrastRatio(text, ground) }));
}
