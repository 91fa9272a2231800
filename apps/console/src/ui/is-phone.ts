/** Below the first of the spec's three breakpoints: as Tailwind's `phone:`. */
export const PHONE = '(max-width: 759.98px)';

/** Whether it is one now; what has to follow its turns listens to `PHONE`. */
export const isPhone = (): boolean => window.matchMedia(PHONE).matches;
