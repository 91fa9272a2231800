/** Arguments of a link: when it was signed, Unix seconds, and its signature. Edge, samples and words have them from here. */
export const TIME_ARGUMENT = 'link_ts';
export const SIGNATURE_ARGUMENT = 'link_sig';
