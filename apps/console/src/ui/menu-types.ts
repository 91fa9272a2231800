import type { ReactNode } from 'react';

export interface MenuItem {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  /** One short sentence under the label. */
  description?: ReactNode;
  /** What destroys is red and last. */
  tone?: 'danger';
  disabled?: boolean;
  /** Marks the chosen one of a set. */
  checked?: boolean;
  /** Switched on and off beside others; the menu stays open. */
  isSwitch?: boolean;
  onSelect?: () => void;
  href?: string;
}

/** Items that belong together, under a heading where they have one. */
export type MenuGroup = readonly MenuItem[] | { readonly label: string; readonly items: readonly MenuItem[] };
