import type { PluginFormAction, PluginFormUi } from '@cordon/plugin-kit/form';
import clsx from 'clsx';
import { CaseSensitive, Plus, Trash2 } from 'lucide-react';
import { Children, createContext, useContext, useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../../ui/button';

const FIRST_CONTROL = 'button:not(:disabled), input:not(:disabled)';

/** How many groups a group stands in. */
const DepthContext = createContext(0);

/** A frame that stands out of the one around it. */
const FRAMES = ['', 'rounded-control bg-sunken p-3', 'rounded-control border border-line bg-card p-3'];

/** What came gets the focus; of what went, what stands in its place. */
function useFocusOfParts(count: number) {
  const parts = useRef<HTMLDivElement>(null);
  const pressed = useRef<{ count: number; index: number }>(undefined);
  useLayoutEffect(() => {
    const { current: last } = pressed;
    if (!last || last.count === count) return;
    pressed.current = undefined;
    const index = Math.min(last.index, count - 1);
    parts.current?.children[index]?.querySelector<HTMLElement>(FIRST_CONTROL)?.focus();
  }, [count]);
  return {
    parts,
    onAdd(index = count) {
      pressed.current = { count, index };
    },
    /** In the part that was pressed, whatever was. */
    onPress(target: EventTarget) {
      const index = [...(parts.current?.children ?? [])].findIndex((part) => part.contains(target as Node));
      pressed.current = { count, index };
    },
  };
}

function RemoveButton({ action, className }: { action: PluginFormAction; className?: string | undefined }) {
  return (
    <IconButton
      label={action.label}
      icon={<Trash2 size={16} aria-hidden />}
      disabled={action.disabled}
      onClick={action.onPress}
      className={className}
    />
  );
}

/** What holds the parts together, the parts, and what adds to them. */
export const PluginFormGroup: PluginFormUi['Group'] = ({ label, head, actions, error, join, undo, children }) => {
  const depth = useContext(DepthContext);
  const id = useId();
  const { parts, onAdd, onPress } = useFocusOfParts(Children.count(children));
  const removing = actions.find(({ icon }) => icon === 'remove');
  const adding = actions.filter(({ icon }) => icon === 'add');
  return (
    <fieldset aria-describedby={error && id} className={clsx('min-w-0', FRAMES[depth] ?? FRAMES[2])}>
      <legend className="sr-only">{label}</legend>
      <div className="flex items-start justify-between gap-2">
        <div className="w-48">{head}</div>
        {removing && <RemoveButton action={removing} />}
      </div>
      <div ref={parts} className="mt-3 flex flex-col gap-3" onClickCapture={(event) => onPress(event.target)}>
        <DepthContext value={depth + 1}>
          {Children.map(children, (part, index) => (
            <div className="min-w-0">
              {index > 0 && <p className="mb-3 text-sm text-muted">{join}</p>}
              {part}
            </div>
          ))}
        </DepthContext>
      </div>
      {error && (
        <p id={id} role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {adding.map((action) => (
          <Button
            key={action.label}
            size="sm"
            icon={<Plus size={16} aria-hidden />}
            disabled={action.disabled}
            onClick={() => {
              onAdd();
              action.onPress();
            }}
          >
            {action.label}
          </Button>
        ))}
        <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
          {undo?.text}
          {undo && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                onAdd(undo.index);
                undo.onUndo();
              }}
            >
              {undo.label}
            </Button>
          )}
        </p>
      </div>
    </fieldset>
  );
};

/** What is compared, how, and with what, in a line where there is room. */
export const PluginFormLine: PluginFormUi['Line'] = ({ label, what, how, children, actions, error }) => (
  <fieldset className="flex min-w-0 items-start gap-2 phone:mb-2">
    <legend className="sr-only">{label}</legend>
    <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,9.5rem)_1fr]">
      <div className="flex min-w-0 flex-col gap-2">{what}</div>
      <div className="grid min-w-0 gap-2 sm:grid-cols-[minmax(0,9.5rem)_1fr]">
        {how}
        {children}
      </div>
      {error && (
        <p role="alert" className="text-sm text-danger sm:col-span-2">
          {error}
        </p>
      )}
    </div>
    <div className="flex gap-1 phone:flex-col">
      {actions.map((action) =>
        action.icon === 'remove' ? (
          <RemoveButton key={action.icon} action={action} />
        ) : (
          <IconButton
            key={action.icon}
            label={action.label}
            icon={<CaseSensitive size={18} aria-hidden />}
            aria-pressed={action.isPressed}
            disabled={action.disabled}
            onClick={action.onPress}
            className="aria-pressed:bg-soft aria-pressed:text-primary-ink"
          />
        ),
      )}
    </div>
  </fieldset>
);
