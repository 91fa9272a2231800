import type { DeploymentFeature } from '@cordon/contract';
import type { ComponentType, ReactNode } from 'react';
import type { PluginNotice, PluginParams } from './plugin.ts';

/** Message of the plugin's catalog, with ICU parameters. */
export type PluginFormWords = (key: string, params?: PluginParams) => string;

/**
 * A value of a plugin's configuration in words: of a field's value, or of an entry where it is a list. All that tells it from another
 * is said, because it stands where two are compared. Undefined where the console's own words will do.
 */
export type SayValue = (field: string, value: unknown, t: PluginFormWords) => string | undefined;

/** What a plugin would have done to recent requests with the value that is edited. */
export interface PluginMatches {
  /** Requests that were looked at; 0: there are none, or, where it is stale, nothing is known yet. */
  readonly of: number;
  /** How many of them each rule decided, by what the handler calls it; none where it is left out. */
  readonly byRule: Readonly<Record<string, number>>;
  /** Of how many it cannot be said whether a rule holds, and what the log lacks of them, in the reader's language. */
  readonly unknownByRule: Readonly<Record<string, { readonly requests: number; readonly missing: string }>>;
  /** It is of an earlier value: the next answer is on its way. */
  readonly isStale: boolean;
}

/**
 * Props of a plugin's own form (`form.tsx`), for plugins whose generated form is not good enough. The console owns
 * saving, dirtiness and the side sheet; a form only edits the value it is given.
 */
export interface PluginFormProps<Config> {
  readonly value: Config;
  // A method, so that the registry can hold forms of different configurations.
  onChange(value: Config): void;
  /** Field errors by path inside the configuration, already in the reader's language. */
  readonly errors: Readonly<Record<string, string>>;
  readonly t: PluginFormWords;
  /** Building blocks of the console's design system, so that plugins need not depend on the console. */
  readonly ui: PluginFormUi;
  readonly disabled: boolean;
  /** What the plugin remarks on the value. Those about entries of lists stand at the lists; the console shows the others. */
  readonly notices?: readonly PluginNotice[];
  /** Left out where it cannot be told: no domain, or none that is live. */
  readonly matches?: PluginMatches | undefined;
  /** What the operator has set up; left out while it is not known. */
  readonly features?: readonly DeploymentFeature[] | undefined;
  /** Told when an entry of the list at `path` is begun, and when it is in the list or gone: what asks for one leaves meanwhile. */
  onTyping?(path: string, isTyping: boolean): void;
  /** Whether the plugin is on; given to forms that ask it themselves (`asksEnabled`). */
  readonly enabled?: boolean;
  /** Only for such forms. Takes the value too, so that one question may change both. */
  onEnabledChange?(enabled: boolean, value: Config): void;
}

/** The first remarks about entries of a list, in the reader's language, and how many more there are. */
export interface ListRemarks {
  readonly shown: readonly string[];
  readonly more: number;
}

/** What every labelled block takes. */
export interface PluginFieldProps {
  readonly label: string;
  /** The label is for screen readers only: what is beside it says what it is. */
  readonly hideLabel?: boolean;
  readonly hint?: string;
  readonly disabled?: boolean;
  readonly error?: string;
  /** It cannot be left empty: said beside its label. */
  readonly required?: boolean;
}

export interface PluginFormUi {
  readonly Switch: ComponentType<PluginFieldProps & { checked: boolean; onChange: (checked: boolean) => void }>;
  readonly Text: ComponentType<
    PluginFieldProps & {
      value: string;
      onChange: (value: string) => void;
      /** Monospace, for patterns and what else is code. */
      isCode?: boolean;
      /** An example of what is wanted, while the field is empty. */
      placeholder?: string;
      /** Values that are chosen with one press. */
      choices?: readonly { value: string; label: string }[];
      /** Label and hint stand beside the field, where there is room. */
      isBeside?: boolean;
    }
  >;
  readonly Number: ComponentType<
    PluginFieldProps & {
      value: number;
      min?: number;
      max?: number;
      /** Stands in the field, behind the number. */
      unit?: string;
      onChange: (value: number) => void;
    }
  >;
  /** A time span as text, a number and one of the units `s`, `m`, `h` and `d`: `3h`. The unit alone where no number is given. */
  readonly Duration: ComponentType<PluginFieldProps & { value: string; onChange: (value: string) => void }>;
  /** The same of a value in seconds. NaN where no number is given. */
  readonly Seconds: ComponentType<
    PluginFieldProps & { value: number; min: number; max: number; onChange: (value: number) => void }
  >;
  readonly Select: ComponentType<
    PluginFieldProps & {
      value: string;
      options: readonly { value: string; label: string }[];
      onChange: (value: string) => void;
    }
  >;
  /** A few exclusive choices, each with a sentence. */
  readonly Choice: ComponentType<
    PluginFieldProps & {
      value: string;
      options: readonly { value: string; label: string; hint?: string; disabled?: boolean }[];
      /** For few short ones, where there is room. */
      inOneRow?: boolean;
      onChange: (value: string) => void;
    }
  >;
  /** Any of a few. */
  readonly Checks: ComponentType<
    PluginFieldProps & {
      value: readonly string[];
      options: readonly { value: string; label: string }[];
      /** Those that are chosen, in the order of the options. */
      onChange: (value: string[]) => void;
    }
  >;
  /**
   * A secret of the configuration (`secretText`). One that is set is not shown, only replaced; a new one is entered, or made here.
   */
  readonly Secret: ComponentType<PluginFieldProps & { value: string | undefined; onChange: (value: string) => void }>;
  /** A program to take away, in several languages. */
  readonly Code: ComponentType<{
    readonly label: string;
    readonly hint?: string;
    readonly samples: readonly { readonly id: string; readonly name: string; readonly code: string }[];
  }>;
  /** Many short texts, such as addresses: paste many, one error per entry (`errors['3']` belongs to the fourth). */
  readonly List: ComponentType<
    PluginFieldProps & {
      placeholder?: string;
      /** What is typed counts once typing rests, before it is added: for entries that any text may be. */
      isLive?: boolean;
      /** Told when an entry is begun, and when it is added or gone. */
      onTyping?: (isTyping: boolean) => void;
      /** Entries that it may have. */
      max?: number;
      remarks?: ListRemarks;
      value: readonly string[];
      onChange: (value: string[]) => void;
      errors?: Readonly<Record<string, string>>;
    }
  >;
  /** ISO 3166-1 alpha-2 codes, chosen by the names of countries. */
  readonly Countries: ComponentType<
    PluginFieldProps & {
      value: readonly string[];
      onChange: (value: string[]) => void;
      errors?: Readonly<Record<string, string>>;
    }
  >;
  /** Rows of short texts, such as name and value; `errors['3.name']` belongs to a cell of the fourth row. */
  readonly Rows: ComponentType<
    PluginFieldProps & {
      columns: readonly { name: string; label: string }[];
      value: readonly Readonly<Record<string, string>>[];
      onChange: (value: Readonly<Record<string, string>>[]) => void;
      errors?: Readonly<Record<string, string>>;
    }
  >;
  /** What is often entered, each taken over with one press; what is there already stays, and says so. */
  readonly Suggestions: ComponentType<PluginSuggestionsProps>;
  /** Things of which there are several, in an order that counts: each is moved, copied, taken away, and opened to be edited. */
  readonly Items: ComponentType<{
    /** What they are together. */
    readonly label: string;
    readonly addLabel: string;
    readonly items: readonly PluginFormItem[];
    readonly disabled?: boolean;
    readonly error?: string;
    readonly max: number;
    /** What was taken away last, in words, and how it comes back; where it stood. */
    readonly undo?: PluginFormUndo | undefined;
    onAdd(): void;
    onMove(from: number, to: number): void;
    onCopy(index: number): void;
    onRemove(index: number): void;
  }>;
  /** Parts of a whole that has no name of its own, with what holds them together at its head; groups stand in groups. */
  readonly Group: ComponentType<{
    /** What it is, for screen readers. */
    readonly label: string;
    readonly head: ReactNode;
    readonly actions: readonly PluginFormAction[];
    readonly error?: string;
    /** The word between two parts. */
    readonly join: string;
    /** The part that was taken away last, and how it comes back. */
    readonly undo?: PluginFormUndo | undefined;
    readonly children: ReactNode;
  }>;
  /** What is compared, how, and with what: beside each other where there is room, each without a label of its own. */
  readonly Line: ComponentType<{
    /** What it is, for screen readers. */
    readonly label: string;
    readonly what: ReactNode;
    readonly how: ReactNode;
    readonly children: ReactNode;
    readonly actions: readonly PluginFormAction[];
    /** What is wrong with all of it. */
    readonly error?: string | undefined;
  }>;
  /** Fields that belong together, under a heading of their own. */
  readonly Section: ComponentType<{ label: string; hint?: string; children: ReactNode }>;
  /** Short fields beside each other that read as one sentence; `label` names them together. */
  readonly Row: ComponentType<{ label: string; hint?: string; children: ReactNode }>;
  readonly Note: ComponentType<{ tone: 'info' | 'warning'; text: string }>;
}

export interface PluginSuggestionsProps {
  readonly label: string;
  readonly hint: string;
  readonly disabled: boolean;
  readonly items: readonly PluginSuggestion[];
}

/** Something that is often entered. */
export interface PluginSuggestion {
  /** Code, such as the name of a header field. */
  readonly name: string;
  /** What goes with the name: code, or words where there is nothing to show yet. */
  readonly value: string;
  readonly isValueWords?: boolean;
  /** What it is good for, in one line. */
  readonly why: string;
  /** The same in few words. */
  readonly gist: string;
  /** What it may break. */
  readonly warning?: string | undefined;
  readonly isTaken: boolean;
  onTake(): void;
}

/** A button of a form. */
export interface PluginFormAction {
  readonly label: string;
  readonly icon: 'add' | 'remove' | 'letter-case';
  /** It switches something on and off. */
  readonly isPressed?: boolean;
  readonly disabled?: boolean;
  onPress(): void;
}

/** The way back of something that was taken away at one press. */
export interface PluginFormUndo {
  readonly text: string;
  readonly label: string;
  readonly index: number;
  onUndo(): void;
}

/** One of several things. */
export interface PluginFormItem {
  /** Stays the same while it is edited and moved. */
  readonly key: string;
  readonly title: string;
  /** What it is, in one line; empty where the title says it. */
  readonly summary: string;
  readonly badge?: { readonly label: string; readonly tone: 'danger' | 'warning' | 'success' | 'neutral' };
  /** What came of it, in a line whose place stays; without a text it is not known yet. */
  readonly note?:
    | {
        readonly text: string | undefined;
        readonly isStale: boolean;
        /** It does not say what it should. */
        readonly isLacking?: boolean;
      }
    | undefined;
  /** How many faults it has. */
  readonly errorCount: number;
  readonly content: ReactNode;
}

/** A form among others, as the generated registry holds it. The console gives it the value of its own plugin. */
export type AnyPluginForm = ComponentType<PluginFormProps<never>>;

/** What `import('../name/form.tsx')` resolves to; made for `React.lazy`. */
export interface PluginFormModule {
  readonly default: AnyPluginForm;
}

/** What is chosen of some options once one of them is pressed, in their order. */
export const withOrWithout = (
  options: readonly { readonly value: string }[],
  chosen: readonly string[],
  pressed: string,
): string[] => options.flatMap(({ value }) => (chosen.includes(value) !== (value === pressed) ? [value] : []));

const REMARKS_MAX = 5;

/** What the notices remark on entries of a list: those of `allow.3` at `allow`. */
export function remarksOn(
  { notices = [], t }: Pick<PluginFormProps<never>, 'notices' | 't'>,
  field: string,
): ListRemarks {
  const about = notices.filter(({ path }) => path.startsWith(`${field}.`));
  return {
    shown: about.slice(0, REMARKS_MAX).map(({ message, params }) => t(message, params)),
    more: Math.max(0, about.length - REMARKS_MAX),
  };
}

/** Whether a notice is about one entry of a list, where the form shows it. */
export const isRemark = ({ path }: PluginNotice): boolean => /\.\d+$/.test(path);

/** The errors below a field, by the rest of their path: of `allow.3` below `allow`, `3`. */
export function errorsBelow(errors: Readonly<Record<string, string>>, field: string): Record<string, string> {
  const below: Record<string, string> = {};
  for (const [path, error] of Object.entries(errors)) {
    if (path.startsWith(`${field}.`)) below[path.slice(field.length + 1)] = error;
  }
  return below;
}

/** The same, and at the empty path what is wrong with all of the field. */
export const errorsAt = (errors: Readonly<Record<string, string>>, field: string): Record<string, string> => {
  const own = errors[field];
  return own === undefined ? errorsBelow(errors, field) : { ...errorsBelow(errors, field), '': own };
};

/** The notices below a field, by the rest of their path. */
export const noticesBelow = (notices: readonly PluginNotice[], field: string): PluginNotice[] =>
  notices.flatMap((notice) =>
    notice.path.startsWith(`${field}.`) ? [{ ...notice, path: notice.path.slice(field.length + 1) }] : [],
  );
