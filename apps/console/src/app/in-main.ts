import { createContext } from 'react';

/** Whether there is a `main` around; a page has one. */
export const InMain = createContext(false);
