import clsx from 'clsx';
import { useBrand } from './brand';

/** Mark and name of the brand. */
export function BrandLogo({ className, markOnly }: { className?: string; markOnly?: boolean }) {
  const brand = useBrand();
  return (
    <span className={clsx('flex min-w-0 items-center gap-2.5', className)}>
      {brand.logo_svg ? (
        <img src={brand.logo_svg} alt="" className="size-7 shrink-0" />
      ) : (
        <svg viewBox="0 0 32 32" className="size-7 shrink-0 text-primary-ink" aria-hidden>
          <path fill="currentColor" d="M16 2 4 6.5v9C4 22.6 9 28 16 30c7-2 12-7.4 12-14.5v-9L16 2Z" />
          <path
            fill="none"
            className="stroke-card"
            strokeWidth="2.6"
            strokeLinecap="round"
            strokeLinejoin="round"
            d="m10.8 16 3.6 3.6 6.8-7"
          />
        </svg>
      )}
      {!markOnly && <span className="truncate text-lg font-semibold tracking-tight">{brand.name}</span>}
    </span>
  );
}
