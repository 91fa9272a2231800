import { createContext } from 'react';

/** What of a screen is shown, where its address can change that below a dialog. */
export const PlaceContext = createContext('');
