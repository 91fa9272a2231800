import { parseSearchWith } from '@tanstack/react-router';

/** Reads the search of an address. An id of a request stays a text, also where it could be read as a number. */
export const parseSearch = parseSearchWith((text) => (/^[0-9a-f]{32}$/.test(text) ? text : JSON.parse(text)));
