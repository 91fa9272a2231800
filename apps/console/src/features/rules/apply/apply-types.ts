import type { Batch, CallInput, Operations, PluginPreview, RuleLists } from '@cordon/contract';

/** Domains by name, by filter, or (of a rule) where it was applied. */
export type Selection = CallInput<Operations['applyRule']>['body']['selection'];

export interface PreviewPage {
  readonly results: readonly PluginPreview[];
  readonly count: number;
}

/**
 * What a preview shows: anything that could be applied, some of which would stop a large part of the visitors or could not be
 * checked for them, or nothing.
 */
export type Shown = 'changes' | 'stops' | 'unknown' | 'nothing';

/** Something whose plugins can be brought to other domains: a rule, or a domain. */
export interface Applicable {
  readonly title: string;
  /** Of the subscription whose domains may be chosen. */
  readonly cname: string;
  /** Id of a domain that is no target. */
  readonly without?: string;
  /** What becomes of a domain's lists, where there are lists to bring. */
  readonly lists?: RuleLists | undefined;
  /** Plugins that are only switched off: each domain keeps its own settings of them. */
  readonly onlyOff?: readonly string[];
  /** How many domains a rule was applied to, and how many of them differ from it. */
  readonly applied?: number;
  readonly differing?: number;
  /** What is brought, for a replay of recent requests with it. */
  readonly brought: CallInput<Operations['replayDraft']>['body']['brought'];
  readonly previewKey: readonly unknown[];
  readonly preview: (
    selection: Selection,
    query: { page: number; perpage: number },
    signal: AbortSignal,
  ) => Promise<PreviewPage>;
  readonly apply: (selection: Selection, how: { deploy: boolean; note: string }) => Promise<Batch>;
  /** What is applied has changed since it was looked at: read it anew. */
  readonly onStale: () => void;
  readonly onEnded: () => void;
}
