import type { ComponentType } from 'react';

/**
 * Props of a plugin's own form (`form.tsx`), for plugins whose generated form is not good enough. The console owns
 * saving, dirtiness and the side sheet; a form only edits the value it is given.
 */
export interface PluginFormProps<Config> {
  readonly value: Config;
  readonly onChange: (value: Config) => void;
  /** Field errors by path inside the configuration, already in the reader's language. */
  readonly errors: Readonly<Record<string, string>>;
  /** Message of the plugin's catalog, with ICU parameters. */
  readonly t: (key: string, params?: Readonly<Record<string, string | number>>) => string;
  /** Building blocks of the console's design system, so that plugins need not depend on the console. */
  readonly ui: PluginFormUi;
  readonly disabled: boolean;
}

export interface PluginFormUi {
  readonly Switch: ComponentType<{ label: string; hint?: string; checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean }>;
  readonly Text: ComponentType<{ label: string; hint?: string; value: string; onChange: (value: string) => void; error?: string; disabled?: boolean }>;
  readonly Number: ComponentType<{ label: string; hint?: string; value: number; min?: number; max?: number; onChange: (value: number) => void; error?: string; disabled?: boolean }>;
  readonly Select: ComponentType<{ label: string; hint?: string; value: string; options: readonly { value: string; label: string }[]; onChange: (value: string) => void; error?: string; disabled?: boolean }>;
  /** Many short texts, such as addresses: paste many, one error per entry (`errors['3']` belongs to the fourth). */
  readonly List: ComponentType<{ label: string; hint?: string; placeholder?: string; value: readonly string[]; onChange: (value: string[]) => void; errors?: Readonly<Record<string, string>>; error?: string; disabled?: boolean }>;
  readonly Note: ComponentType<{ tone: 'info' | 'warning'; text: string }>;
}
