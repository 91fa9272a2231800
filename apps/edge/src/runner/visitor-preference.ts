import { prefersJson } from '@cordon/plugin-kit/accept';
import * as lrucache from 'resty.lrucache';
import { pageLanguage } from './accept.ts';

/** Most visitors send one of a few texts; in a flood of refused requests, reading them anew would be most of the work. */
const READ_FIELDS_MAX = 500;
const FIELD_BYTES_MAX = 200;
const languages = lrucache.new<'en' | 'zh'>(READ_FIELDS_MAX);
const preferences = lrucache.new<boolean>(READ_FIELDS_MAX);

/** Language of our pages for an `Accept-Language`. */
export function languageOf(field: string | undefined): 'en' | 'zh' {
  if (field === undefined || field.length > FIELD_BYTES_MAX) return pageLanguage(field);
  let language = languages.get(field);
  if (language === undefined) {
    language = pageLanguage(field);
    languages.set(field, language);
  }
  return language;
}

/** Whether an `Accept` would rather have JSON than HTML. */
export function isJsonPreferred(field: string | undefined): boolean {
  if (field === undefined || field.length > FIELD_BYTES_MAX) return prefersJson(field);
  let isPreferred = preferences.get(field);
  if (isPreferred === undefined) {
    isPreferred = prefersJson(field);
    preferences.set(field, isPreferred);
  }
  return isPreferred;
}
