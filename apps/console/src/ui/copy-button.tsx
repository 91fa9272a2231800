import clsx from 'clsx';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';

const COPIED_MS = 1600;

/** Puts a text on the clipboard; false where the browser does not allow it. Older browsers and plain http on another host have no clipboard API. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'fixed opacity-0';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

async function copyFrom(button: HTMLButtonElement) {
  const before = button.getAttribute('aria-label') ?? '';
  if (button.dataset.copied !== undefined || !(await copyText(button.dataset.copy ?? ''))) return;
  button.dataset.copied = '';
  button.setAttribute('aria-label', button.dataset.copiedLabel ?? before);
  window.setTimeout(() => {
    delete button.dataset.copied;
    button.setAttribute('aria-label', before);
  }, COPIED_MS);
}

let isListening = false;
function listenOnce() {
  if (isListening || typeof document === 'undefined') return;
  isListening = true;
  document.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[data-copy]') : null;
    if (button) void copyFrom(button);
  });
}

export interface CopyButtonProps {
  value: string;
  /** Accessible name, for example "Copy CNAME". */
  label: string;
  /** Said once copied, for example "Copied". */
  copiedLabel: string;
  /** Text beside the icon. */
  children?: ReactNode;
  className?: string;
}

/** Copies a value. No state and no hook: one listener on the document serves every button, so a table row may have one. */
export function CopyButton({ value, label, copiedLabel, children, className }: CopyButtonProps) {
  listenOnce();
  return (
    <button
      type="button"
      data-copy={value}
      data-copied-label={copiedLabel}
      aria-label={label}
      title={label}
      aria-live="polite"
      className={clsx(
        'group/copy inline-flex h-6 min-w-6 shrink-0 items-center justify-center gap-1.5 rounded-[6px] px-1 text-muted hover:bg-sunken hover:text-ink touch:h-10 touch:min-w-10',
        className,
      )}
    >
      <Copy size={14} className="group-data-copied/copy:hidden" aria-hidden />
      <Check size={14} className="hidden text-success group-data-copied/copy:block" aria-hidden />
      {children}
    </button>
  );
}
