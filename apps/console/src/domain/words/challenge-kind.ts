import { waiting } from '@cordon/plugins/areas';

/** What a plugin that challenges asks of visitors: to prove themselves, or only to wait. */
export const challengeKind = (plugin: string): 'challenge' | 'wait' =>
  waiting.includes(plugin) ? 'wait' : 'challenge';
