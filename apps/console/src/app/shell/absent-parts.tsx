import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { deploymentConfigOptions } from '../deployment-config';

/** Says so when a part is not installed: everything can be looked at and edited, but nothing goes live. */
export function AbsentParts() {
  const t = useTranslations('pages');
  const { data } = useQuery(deploymentConfigOptions);
  if (!data?.absent_parts.length) return null;
  return (
    <p role="status" className="border-b border-line bg-warning-soft px-4 py-1.5 text-sm text-warning sm:px-6">
      {t('absentParts', { parts: data.absent_parts.join(', ') })}
    </p>
  );
}
