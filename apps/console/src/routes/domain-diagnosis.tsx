import type { ComponentProps } from 'react';
import DiagnosisTab from '../features/diagnosis/diagnosis-tab';
import { PreviewCard } from '../features/names/ownership/preview-card';

/** What is wrong with a domain, and the command that asks its live version before DNS points here. */
export default function DomainDiagnosis(props: Omit<ComponentProps<typeof DiagnosisTab>, 'preview'>) {
  return <DiagnosisTab {...props} preview={<PreviewCard routeId={props.route.id} />} />;
}
