import { createContext } from 'react';

/** Whether plugins that wait until they are started (`isStandby`) are at work on the domain that is shown. */
export const StartedContext = createContext(false);

/** Until when those of them that start by themselves do not; null where they may. */
export const RestContext = createContext<string | null>(null);
