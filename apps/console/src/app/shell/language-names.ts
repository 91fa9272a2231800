/** A language is named in itself, for readers who do not know the current one. */
export const languageNames = { en: 'English', zh: '简体中文' };
