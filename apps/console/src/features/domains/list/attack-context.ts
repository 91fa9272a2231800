import { createContext, type ReactNode } from 'react';

/** The badge of a domain in Under Attack mode, nothing of another; of the whole account for `null`. */
export type AttackBadgeOf = (routeId: string | null) => ReactNode;

/** Beside the rows: they stay as they are while a mode begins and ends. */
export const AttackContext = createContext<AttackBadgeOf>(() => null);
