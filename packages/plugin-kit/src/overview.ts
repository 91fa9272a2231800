import type { PluginFormWords, PluginSuggestion } from './form.ts';
import type { PluginSetting } from './plugin.ts';

/** What an overview (`overview.ts`) is made from. */
export interface PluginOverviewFacts<Config> {
  readonly draft: PluginSetting<Config>;
  /** What visitors get; undefined where nothing was ever deployed. */
  readonly live: PluginSetting<Config> | undefined;
  readonly t: PluginFormWords;
  /** Opens the form with this configuration in it, which is not saved yet. A method, for the registry. */
  onPropose(config: Config): void;
}

/**
 * What the console shows of a plugin below the cards of its area, for plugins of which one line says too little: each value
 * that is set, what else is often set, the pages that visitors may see. Values of plugins of one area stand in one table.
 */
export interface PluginOverview {
  readonly values?: OverviewValues;
  readonly suggestions?: OverviewSuggestions;
  readonly pages?: OverviewPages;
}

export interface OverviewValues {
  readonly label: string;
  readonly columns: {
    readonly name: string;
    /** Where each row has a hint. */
    readonly hint?: string;
    readonly value: string;
    readonly goesTo?: string;
  };
  /** Who gets them; said where the columns have `goesTo`. */
  readonly goesTo?: string;
  readonly rows: readonly OverviewValue[];
}

/** One value of a configuration, as it is live and as it is in the draft; undefined where it is not set. */
export interface OverviewValue {
  readonly key: string;
  readonly name: string;
  /** What it is, beside the name. */
  readonly hint?: string;
  readonly live: string | undefined;
  readonly draft: string | undefined;
  /** It is shown by dots only. */
  readonly isSecret?: boolean;
  /** The value is an address that can be opened. */
  readonly isLink?: boolean;
  /** What holds while it is not set; empty where the hint of the list says it. */
  readonly fallback?: string;
  readonly warning?: string | undefined;
}

export interface OverviewSuggestions {
  /** What they are good for, in few words. */
  readonly label: string;
  readonly items: readonly PluginSuggestion[];
}

/** Small pictures of pages that visitors may see. */
export interface OverviewPages {
  readonly label: string;
  readonly hint: string;
  readonly pages: readonly {
    readonly status: number;
    readonly title: string;
    readonly text: string;
    /** What is below the text. */
    readonly footer: string;
  }[];
}

/** An overview among others, as the generated registry holds it. The console gives it the values of its own plugin. */
export type AnyPluginOverview = (facts: PluginOverviewFacts<never>) => PluginOverview;

/** What `import('../name/overview.ts')` resolves to. */
export interface PluginOverviewModule {
  readonly overview: AnyPluginOverview;
}
