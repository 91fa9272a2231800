import { CircleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';

/** How many settings have an error, by their paths: a list is one, however many of its entries are wrong. */
export const countWrong = (errors: Readonly<Record<string, string>>): number =>
  new Set(Object.keys(errors).map((path) => path.replace(/\.\d+$/, ''))).size;

/** How many settings are wrong, above the buttons that were pressed: the errors themselves may be out of sight. */
export function ErrorCount({ count }: { count: number }) {
  const t = useTranslations('domain.plugin');
  return (
    <div role="alert" className="w-full text-sm text-danger empty:hidden phone:flex-none!">
      {count > 0 && (
        <p className="mb-1 flex gap-1.5">
          <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
          {t('hasErrors', { count })}
        </p>
      )}
    </div>
  );
}
