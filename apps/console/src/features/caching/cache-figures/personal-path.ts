import { PROGRAM_EXTENSIONS } from '@cordon/plugin-kit/cacheable-files';

/** Whole words of a path: `/uploads` holds what was uploaded, for everybody. */
const WORDS = /(?:^|[^a-z])(?:log-?in|carts?|checkout|accounts?|admin|upload)(?![a-z])/i;
const PROGRAM = new RegExp(`\\.(?:${PROGRAM_EXTENSIONS.join('|')})(?:/|$)`, 'i');

/** Whether a path is called like what answers each visitor for himself, which no log tells: to cache it would show one's page to another. */
export const isPersonalPath = (path: string): boolean => WORDS.test(path) || PROGRAM.test(path);
