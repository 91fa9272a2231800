import type batches from './domain/batches/locales/en.json';
import type combobox from './domain/combobox/locales/en.json';
import type health from './domain/health/locales/en.json';
import type domain from './domain/locales/en.json';
import type upstreams from './domain/upstreams/locales/en.json';
import type accounts from './features/accounts/locales/en.json';
import type attackMode from './features/attack-mode/locales/en.json';
import type audit from './features/audit/locales/en.json';
import type bans from './features/bans/locales/en.json';
import type caching from './features/caching/locales/en.json';
import type diagnosis from './features/diagnosis/locales/en.json';
import type bulk from './features/domains/bulk/locales/en.json';
import type commands from './features/domains/commands/locales/en.json';
import type overview from './features/domains/overview/locales/en.json';
import type groups from './features/groups/locales/en.json';
import type identity from './features/identity/locales/en.json';
import type imports from './features/imports/locales/en.json';
import type find from './features/names/find/locales/en.json';
import type shadowDomains from './features/names/shadow-domains/locales/en.json';
import type origins from './features/origins/locales/en.json';
import type pause from './features/publishing/pause/locales/en.json';
import type versions from './features/publishing/versions/locales/en.json';
import type apply from './features/rules/apply/locales/en.json';
import type copies from './features/rules/copies/locales/en.json';
import type rules from './features/rules/locales/en.json';
import type selfTest from './features/self-test/locales/en.json';
import type ssl from './features/ssl/locales/en.json';
import type subscriptions from './features/subscriptions/locales/en.json';
import type traffic from './features/traffic/locales/en.json';
import type errors from './locales/en/errors.json';
import type fieldErrors from './locales/en/field-errors.json';
import type pages from './locales/en/pages.json';
import type palette from './locales/en/palette.json';
import type shell from './locales/en/shell.json';
import type ui from './locales/en/ui.json';

/**
 * Every catalog by its namespace. A feature's is `features/<feature>/locales/{en,zh}.json`, that of a part of a feature
 * `features/<feature>/<part>/locales/{en,zh}.json`, those of `domain/` alike; the namespace is the last folder in camel
 * case. What belongs to none of them is `locales/{en,zh}/<name>.json`. A new catalog adds its line here.
 */
interface Catalogs {
  accounts: typeof accounts;
  apply: typeof apply;
  audit: typeof audit;
  copies: typeof copies;
  bans: typeof bans;
  caching: typeof caching;
  batches: typeof batches;
  shadowDomains: typeof shadowDomains;
  combobox: typeof combobox;
  commands: typeof commands;
  bulk: typeof bulk;
  groups: typeof groups;
  health: typeof health;
  diagnosis: typeof diagnosis;
  domain: typeof domain;
  upstreams: typeof upstreams;
  errors: typeof errors;
  fieldErrors: typeof fieldErrors;
  find: typeof find;
  versions: typeof versions;
  identity: typeof identity;
  ssl: typeof ssl;
  subscriptions: typeof subscriptions;
  traffic: typeof traffic;
  attackMode: typeof attackMode;
  origins: typeof origins;
  overview: typeof overview;
  imports: typeof imports;
  pages: typeof pages;
  pause: typeof pause;
  palette: typeof palette;
  selfTest: typeof selfTest;
  shell: typeof shell;
  rules: typeof rules;
  ui: typeof ui;
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Catalogs;
    Locale: 'en' | 'zh';
  }
}
