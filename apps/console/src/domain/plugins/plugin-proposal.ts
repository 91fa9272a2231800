import type { PluginConfig } from './plugin-fields';

/** A configuration that the form of a plugin is opened with, not saved yet. */
export interface PluginProposal {
  readonly plugin: string;
  readonly config: PluginConfig;
  /** The setting that is still to be changed, and with what. */
  readonly open?: { readonly field: string; readonly hint: string };
  /** What has the focus once the form is closed; null: what had it before. */
  readonly focusAfter?: (isSaved: boolean) => HTMLElement | null;
}
