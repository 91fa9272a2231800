import { createContext } from 'react';

/** Whether plugins that wait until they are started (`isStandby`) are at work, and what for: a domain, or the whole account. */
export type Started = false | 'domain' | 'account';

/** That of the domain that is shown. */
export const StartedContext = createContext<Started>(false);

/** Until when those of them that start by themselves do not; null where they may. */
export const RestContext = createContext<string | null>(null);
