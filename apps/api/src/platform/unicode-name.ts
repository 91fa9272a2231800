import { domainToUnicode } from 'node:url';

/** A-labels as people read them; a name that does not decode, of before they were refused, as it is. */
export const unicodeName = (name: string): string => domainToUnicode(name) || name;
