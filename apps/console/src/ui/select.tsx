import { Select as BaseSelect } from '@base-ui/react/select';
import clsx from 'clsx';
import { Check, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useFieldControl, useFieldLabelId } from './field';
import { useLandmark } from './landmark';
import { popupItemClass, popupSurfaceClass } from './popup-classes';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  description?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  /** Accessible name outside a `Field`. */
  label?: string;
  options: readonly SelectOption<Value>[];
  value: Value | null | undefined;
  onValueChange: (value: Value) => void;
  /** The options in another form than one row (`SelectGroups`). */
  list?: ReactNode;
  placeholder?: string;
  disabled?: boolean;
  name?: string;
  className?: string;
}

/** One option, for lists of another form than one row. */
export function SelectItem<Value extends string>({ option }: { option: SelectOption<Value> }) {
  return (
    <BaseSelect.Item value={option.value} disabled={option.disabled} className={popupItemClass}>
      {option.icon}
      <span className="min-w-0 flex-1">
        <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
        {option.description && <span className="block text-sm text-muted">{option.description}</span>}
      </span>
      <BaseSelect.ItemIndicator className="text-primary-ink">
        <Check size={16} aria-hidden />
      </BaseSelect.ItemIndicator>
    </BaseSelect.Item>
  );
}

/** One of a list, opened as a list box. For two to four short choices prefer `SegmentedControl`. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  list,
  placeholder,
  disabled,
  name,
  className,
}: SelectProps<Value>) {
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  const trigger = useRef<HTMLButtonElement>(null);
  const landmark = useLandmark(trigger);
  const items = options.map((option) => ({ value: option.value, label: option.label }));
  return (
    <BaseSelect.Root<Value>
      items={items}
      value={value ?? null}
      disabled={disabled}
      name={name}
      onValueChange={(next) => next !== null && onValueChange(next)}
    >
      <BaseSelect.Trigger
        ref={trigger}
        id={control.id}
        aria-label={label}
        // What is cut on a narrow screen can still be read.
        title={items.find((item) => item.value === value)?.label}
        aria-labelledby={label ? undefined : labelId}
        aria-describedby={control['aria-describedby']}
        aria-invalid={control['aria-invalid']}
        className={clsx('control flex items-center justify-between gap-2 text-left', className)}
      >
        <BaseSelect.Value className="min-w-0 truncate data-placeholder:text-muted" placeholder={placeholder} />
        <BaseSelect.Icon className="shrink-0 text-muted">
          <ChevronsUpDown size={14} aria-hidden />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal container={landmark} className="contents">
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <BaseSelect.Popup className={clsx(popupSurfaceClass, 'min-w-(--anchor-width)')}>
            <BaseSelect.List className="max-h-[min(320px,var(--available-height))] overflow-y-auto">
              {list ?? options.map((option) => <SelectItem key={option.value} option={option} />)}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
