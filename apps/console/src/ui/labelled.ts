const HAN = /\p{Script=Han}/u;

/** A name and what it says, as the language of the name writes its colon. */
export const labelled = (name: string, text: string): string => `${name}${HAN.test(name) ? '：' : ': '}${text}`;
