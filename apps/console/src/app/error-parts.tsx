import type { ErrorComponentProps } from '@tanstack/react-router';
import { FailedPart } from '../ui/failed-part';

import { needCatalogs } from './intl-store';

let parts: typeof import('./screen-error') | undefined;

/** Loads what stands in place of a screen that is not there; begun with the console, because without a network it would be too late. */
export const loadErrorParts = (): Promise<void> =>
  Promise.all([import('./screen-error'), needCatalogs('pages')]).then(
    ([loaded]) => {
      parts = loaded;
    },
    (cause: unknown) => console.error('Screens of errors could not be loaded', cause),
  );

const reload = () => window.location.reload();
const nothing = () => {};

/** Until that is there. */
const Plain = ({ error }: { error: unknown }) => (
  <FailedPart cause={error} part={{}} onRenew={nothing} onRedraw={reload} />
);

/** A screen that is not there. */
export const ScreenError = (props: ErrorComponentProps) =>
  parts ? <parts.ScreenError {...props} /> : <Plain error={props.error} />;

/** The console itself broke. */
export const BrokenApp = ({ error }: { error: unknown }) =>
  parts ? <parts.BrokenApp error={error} /> : <Plain error={error} />;
