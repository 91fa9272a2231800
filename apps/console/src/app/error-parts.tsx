import type { ErrorComponentProps } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part';
import { needCatalogs } from './intl-store';

const load = async () => (await Promise.all([import('./screen-error'), needCatalogs('pages', 'fieldErrors')]))[0];

/** Loads what stands in place of a screen that is not there; begun with the console, because without a network it would be too late. */
export const loadErrorParts = (): Promise<unknown> => load().catch(() => {});

const Screen = lazyPart(async () => ({ default: (await load()).ScreenError }));
const App = lazyPart(async () => ({ default: (await load()).BrokenApp }));

/** A screen that is not there. */
export const ScreenError = (props: ErrorComponentProps) => (
  <Suspense fallback={null}>
    <Screen {...props} />
  </Suspense>
);

/** The console itself broke. */
export const BrokenApp = ({ error }: { error: unknown }) => (
  <Suspense fallback={null}>
    <App error={error} />
  </Suspense>
);
