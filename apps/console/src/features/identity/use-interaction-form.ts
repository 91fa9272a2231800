import { PASSWORD_CHARACTERS_MIN, USER_NAME_CHARACTERS_MAX } from '@cordon/contract/constants';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { markRegistered } from '../../app/session/registered';
import { waitOf } from '../../app/wait';
import { useLong } from '../../ui/use-long';
import { answerInteraction } from './interaction';

export interface InteractionForm {
  isSending: boolean;
  /** Nothing has answered for long: it may be sent once more, or given up. */
  slow: { onRetry: () => void; onCancel: () => void } | undefined;
  /** Words for a field, or undefined. */
  errorOf: (field: string) => string | undefined;
  /** Code of what was refused of a field, or undefined. */
  codeOf: (field: string) => string | undefined;
  /** Words for the whole form. */
  error: string | undefined;
  /** Whether the same may succeed when it is sent again. */
  canRetry: boolean;
  clearError: (field: string) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

interface InteractionFormOptions {
  uid: string;
  form: 'login' | 'register';
  values: () => Record<string, unknown>;
  /** Codes by field, found before anything is sent. */
  check: () => Record<string, string>;
  onExpired: () => void;
}

const RETRIED = new Set(['network', 'failed', 'UNAVAILABLE', 'GATEWAY_CONNECTION_ERROR']);

/** Sending a form of the provider: checks, waits, leaves, or shows what was refused and puts the focus there. */
export function useInteractionForm({ uid, form, values, check, onExpired }: InteractionFormOptions): InteractionForm {
  const t = useTranslations('identity');
  const [fields, setFields] = useState<Record<string, string>>({});
  const [formCode, setFormCode] = useState<string>();
  const [formParams, setFormParams] = useState<Readonly<Record<string, string | number>>>({});
  /** Which try is on its way; 0: none. */
  const [sending, setSending] = useState(0);
  const isSending = sending > 0;
  /** The same at once: a second press may come before this is drawn. */
  const isOpen = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  /** Ends what is on its way, whatever comes of it. */
  const giveUp = useRef(() => {});
  /** Where the browser is on its way to. */
  const leavingTo = useRef<string>(undefined);
  const isLong = useLong(sending);

  function words(code: string): string {
    const key = `errors.${code}` as 'errors.INVALID';
    return t.has(key)
      ? t(key, { minimum: PASSWORD_CHARACTERS_MIN, maximum: USER_NAME_CHARACTERS_MAX, ...waitOf(formParams) })
      : t('failed');
  }
  function refuse(codes: Record<string, string>) {
    setFields(codes);
    const first = Object.keys(codes)[0];
    const control = first && element.current?.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  }
  function end() {
    giveUp.current();
    // What was pressed goes.
    element.current?.querySelector<HTMLElement>('[aria-busy]')?.focus();
  }
  function rest() {
    isOpen.current = false;
    setSending(0);
  }
  function leave(to: string) {
    leavingTo.current = to;
    giveUp.current = () => window.stop();
    setSending((before) => before + 1);
    window.location.assign(to);
  }
  async function send() {
    leavingTo.current = undefined;
    const found = check();
    setFormCode(undefined);
    refuse(found);
    if (Object.keys(found).length > 0) return;
    isOpen.current = true;
    setSending((before) => before + 1);
    const call = new AbortController();
    giveUp.current = () => call.abort();
    const answer = await answerInteraction(uid, form, values(), call.signal);
    if (call.signal.aborted) return;
    // The button keeps turning while the browser leaves.
    if (answer.kind === 'redirect') {
      if (form === 'register') markRegistered();
      leave(answer.to);
      return;
    }
    rest();
    if (answer.kind === 'expired') onExpired();
    else if (answer.kind === 'unreachable') setFormCode('network');
    else {
      const known = Object.fromEntries(
        Object.entries(answer.fields).filter(([name]) => element.current?.elements.namedItem(name)),
      );
      const other = Object.entries(answer.fields).find(([name]) => !(name in known))?.[1];
      refuse(known);
      setFormParams(answer.params ?? {});
      setFormCode(other ?? (Object.keys(known).length === 0 ? (answer.code ?? 'failed') : undefined));
    }
  }
  return {
    isSending,
    slow: isLong
      ? {
          onRetry() {
            end();
            if (leavingTo.current === undefined) void send();
            else leave(leavingTo.current);
          },
          onCancel() {
            end();
            rest();
          },
        }
      : undefined,
    errorOf: (field) => (fields[field] ? words(fields[field]) : undefined),
    codeOf: (field) => fields[field],
    error: formCode && (formCode === 'network' ? t('network') : words(formCode)),
    canRetry: formCode !== undefined && RETRIED.has(formCode),
    clearError: (field) => setFields(({ [field]: _, ...rest }) => rest),
    onSubmit(event) {
      event.preventDefault();
      element.current = event.currentTarget;
      if (!isOpen.current) void send();
    },
  };
}
