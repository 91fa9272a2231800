import type { useFormat } from './format';

/** A moment where one reads it in passing: of today the time alone. */
export const momentText = (format: ReturnType<typeof useFormat>, moment: string): string =>
  format.date(moment) === format.date(Date.now()) ? format.time(moment) : format.dateTime(moment);
