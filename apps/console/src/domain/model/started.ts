import { createContext } from 'react';

/** Whether plugins that wait until they are started (`isStandby`) are at work on the domain that is shown. */
export const StartedContext = createContext(false);
