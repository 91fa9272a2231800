import { useTranslations } from 'use-intl';

/** A check that found as many wrong entries looked no further. */
const WRONG_MAX = 100;

interface ListCountProps {
  count: number;
  wrong: number;
  max: number | undefined;
}

/** How many there are that count, how many that do not, and how many too many. */
export function ListCount({ count, wrong, max }: ListCountProps) {
  const t = useTranslations('ui.tags');
  if (max === undefined) return <span>{t('count', { count })}</span>;
  const known = wrong < WRONG_MAX ? wrong : 0;
  return (
    <>
      <span className={count > max ? 'font-semibold text-danger' : undefined}>
        {t('countOf', { count: count - known, max })}
        {known > 0 && ` · ${t('invalid', { count: known })}`}
      </span>
      {count > max && <span className="font-medium text-danger">{t('tooMany', { count: count - max })}</span>}
    </>
  );
}
