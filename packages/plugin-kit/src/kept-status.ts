import type { CacheSettings } from './edge/context.ts';

/**
 * Statuses of answers that are worth keeping for a while though their origin says nothing of it (RFC 9110 15.1), and 302 and 307. Not
 * those of errors that may be over in a moment, nor 401 and 403, which depend on who asks.
 */
const KEPT_STATUSES: readonly number[] = [200, 203, 204, 300, 301, 302, 307, 308, 404, 405, 410, 414, 501];

interface StatusSettings extends CacheSettings {
  readonly response_code: readonly number[];
}

/** Whether it is an error that the settings do not list: to keep nothing of its path, which may be right again in a moment, is right. */
export const isUnlistedError = ({ response_code: listed }: StatusSettings, status: number): boolean =>
  status >= 400 && !listed.includes(status);

/** The settings with answers of a status kept for their default time; undefined where they are already, or should not be. */
export const withStatus = <Config extends StatusSettings>(config: Config, status: number): Config | undefined =>
  KEPT_STATUSES.includes(status) && !config.response_code.includes(status)
    ? { ...config, response_code: [...config.response_code, status] }
    : undefined;
