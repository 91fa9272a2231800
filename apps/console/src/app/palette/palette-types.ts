import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** What an item may do once the palette has closed. */
export interface PaletteActions {
  /** Goes to a screen. */
  go(hash: string): void;
  /** Shows a dialog, which calls back when it is over. */
  show(dialog: (close: () => void) => ReactNode): void;
}

/** A choice that leads to more choices: "Deploy a domain…", then which. */
export interface PalettePage {
  readonly title: string;
  readonly placeholder: string;
  find(query: string, signal: AbortSignal): PaletteGroup[] | Promise<PaletteGroup[]>;
}

/** One line of the palette. Either `run` or `page`. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Beside the label: what it is, or why it cannot be chosen now. */
  readonly hint?: string;
  /** The hint says what is wrong with it, or that it is off, and is seen at once. */
  readonly hintTone?: 'warning' | 'danger' | 'neutral';
  /** What it is the name of, or is done to: found by any part. */
  readonly names?: readonly string[];
  /** What it is called besides, words or phrases: found by their beginnings. */
  readonly keywords?: readonly string[];
  readonly disabled?: boolean;
  /** Added to how well it fits: what was used last is nearer. */
  readonly bonus?: number;
  readonly run?: (actions: PaletteActions) => void | Promise<void>;
  readonly page?: PalettePage;
}

export interface PaletteGroup {
  readonly id: string;
  readonly label: string;
  readonly items: readonly PaletteItem[];
  /** Stands last, whatever fits better: where the rest is found. */
  readonly more?: PaletteItem | undefined;
}

/**
 * Where choices come from. A feature has its own and stands in the table of sources (`routes/palette-sources.ts`), so
 * that features never know each other.
 */
export interface PaletteSource {
  /** What is known without a request; filtered by the palette. Called each time the palette opens. */
  groups(): PaletteGroup[];
  /** What the API knows besides; already filtered, and joined with the groups of the same id. */
  search?(query: string, signal: AbortSignal): Promise<PaletteGroup[]>;
}
