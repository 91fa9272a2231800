import type { ComponentType } from 'react';
import type { PluginFormWords, PluginSuggestionsProps } from './form.ts';
import type { PluginSetting } from './plugin.ts';

/**
 * Props of what a plugin shows below its card (`overview.tsx`), for plugins of which one line says too little: each value
 * that is set, what visitors get without one, what else is often set.
 */
export interface PluginOverviewProps<Config> {
  readonly draft: PluginSetting<Config>;
  /** What visitors get; undefined where nothing was ever deployed. */
  readonly live: PluginSetting<Config> | undefined;
  readonly t: PluginFormWords;
  readonly ui: PluginOverviewUi;
  /** The plugin cannot be set up now. */
  readonly disabled: boolean;
  /** Opens the form with this configuration in it, which is not saved yet. A method, for the registry. */
  onPropose(config: Config): void;
}

/** One value of a configuration, as it is live and as it is in the draft; undefined where it is not set. */
export interface OverviewValue {
  readonly key: string;
  readonly name: string;
  /** What it is, below the name. */
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

/** Building blocks of the console's design system. */
export interface PluginOverviewUi {
  /** Values in rows, with what is live and what a deploy changes told apart. */
  readonly Values: ComponentType<{
    readonly label: string;
    /** What holds for all of them. */
    readonly hint?: string;
    readonly values: readonly OverviewValue[];
    /** The draft's values have no effect: the plugin is switched off there. */
    readonly isOff: boolean;
  }>;
  readonly Suggestions: ComponentType<PluginSuggestionsProps>;
  /** Small pictures of pages that visitors may see. */
  readonly Pages: ComponentType<{
    readonly label: string;
    readonly hint: string;
    readonly pages: readonly {
      readonly status: number;
      readonly title: string;
      readonly text: string;
      /** What is below the text. */
      readonly footer: string;
    }[];
  }>;
}

/** An overview among others, as the generated registry holds it. The console gives it the values of its own plugin. */
export type AnyPluginOverview = ComponentType<PluginOverviewProps<never>>;

/** What `import('../name/overview.tsx')` resolves to; made for `React.lazy`. */
export interface PluginOverviewModule {
  readonly default: AnyPluginOverview;
}
