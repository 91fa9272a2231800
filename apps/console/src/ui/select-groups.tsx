import { Select as BaseSelect } from '@base-ui/react/select';
import { SelectItem, type SelectOption } from './select';

export interface SelectGroup {
  /** None: these stand without a heading. */
  label?: string;
  options: readonly SelectOption<string>[];
}

/** Options of a `Select` under headings. */
export function SelectGroups({ groups }: { groups: readonly SelectGroup[] }) {
  return groups.map(({ label, options }) => {
    const items = options.map((option) => <SelectItem key={option.value} option={option} />);
    if (label === undefined) return items;
    return (
      <BaseSelect.Group key={label}>
        <BaseSelect.GroupLabel className="px-2.5 pt-2 pb-1 text-sm text-muted">{label}</BaseSelect.GroupLabel>
        {items}
      </BaseSelect.Group>
    );
  });
}
