import clsx from 'clsx';
import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';

interface FieldState {
  controlId: string;
  labelId: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
}

const FieldContext = createContext<FieldState | null>(null);

export interface FieldProps {
  label: ReactNode;
  /** One sentence under the label's control; stays while there is an error. */
  hint?: ReactNode;
  /** What is wrong and what to do. */
  error?: ReactNode;
  required?: boolean;
  /** Right of the label, for example a link. */
  aside?: ReactNode;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  className?: string;
  children: ReactNode;
}

/** Label, hint and error around one control; the control finds its ids through the context. */
export function Field({ label, hint, error, required = false, aside, hideLabel, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const state: FieldState = {
    controlId: id,
    labelId: `${id}-label`,
    describedBy: [errorId, hintId].filter(Boolean).join(' ') || undefined,
    isInvalid: Boolean(error),
    isRequired: required,
  };
  return (
    <FieldContext value={state}>
      <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
        <div className={clsx('flex items-baseline justify-between gap-3', hideLabel && 'sr-only')}>
          <label id={state.labelId} htmlFor={id} className="font-medium">
            {label}
            {required && (
              <span className="text-danger" aria-hidden>
                {' '}
                *
              </span>
            )}
          </label>
          {aside && <span className="text-sm text-muted">{aside}</span>}
        </div>
        {children}
        {error && (
          <p id={errorId} className="flex gap-1.5 text-sm text-danger">
            <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
            <span className="min-w-0 wrap-anywhere">{error}</span>
          </p>
        )}
        {hint && (
          <div id={hintId} className="text-sm text-muted">
            {hint}
          </div>
        )}
      </div>
    </FieldContext>
  );
}

/** For further controls inside a `Field`, which is about the first of them: they take none of its ids. */
export function OutsideField({ children }: { children: ReactNode }) {
  return <FieldContext value={null}>{children}</FieldContext>;
}

interface ControlProps {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined;
  required?: boolean | undefined;
}

/** Ids and states that the surrounding `Field` gives its control; a control outside a field keeps its own. */
export function useFieldControl(props: ControlProps) {
  const field = useContext(FieldContext);
  return {
    id: props.id ?? field?.controlId,
    'aria-describedby': props['aria-describedby'] ?? field?.describedBy,
    'aria-invalid': props['aria-invalid'] ?? (field?.isInvalid || undefined),
    'aria-required': props.required ?? (field?.isRequired || undefined),
  };
}

/** Id of the surrounding field's label, for controls that are not labelable elements. */
export function useFieldLabelId(): string | undefined {
  return useContext(FieldContext)?.labelId;
}
