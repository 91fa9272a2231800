/** Characters of a note for the history. */
export const NOTE_MAX = 500;
