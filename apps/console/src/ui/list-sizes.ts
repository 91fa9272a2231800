const SIZES_KEY = 'list-sizes';
/** Lists that are remembered; the one seen longest ago is forgotten first. */
const LISTS_MAX = 40;

export function readSizes(): Record<string, number> {
  try {
    return JSON.parse(window.localStorage.getItem(SIZES_KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

export function rememberSize(list: string, size: number) {
  const { [list]: before, ...others } = readSizes();
  if (before === size) return;
  const kept = Object.entries({ ...others, [list]: size }).slice(-LISTS_MAX);
  window.localStorage.setItem(SIZES_KEY, JSON.stringify(Object.fromEntries(kept)));
}

/** At sign-out: how much an account has is nothing for the next one. */
export const forgetSizes = () => window.localStorage.removeItem(SIZES_KEY);
