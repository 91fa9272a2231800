import type { RouteSelection } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import BulkDialog from './bulk-dialog';
import { bulkPreviewOptions, countChanged } from './bulk-preview';

interface DeployBatchProps {
  /** Whose changes are not live yet. */
  batchId: string;
  onClose: () => void;
  onStarted: (batchId: string) => void;
}

/** The question before what a batch has changed is deployed. */
export default function DeployBatch({ batchId, onClose, onStarted }: DeployBatchProps) {
  const [selection] = useState<RouteSelection>(() => ({ filter: { batch: batchId, changes: 'pending' } }));
  const { data, isError } = useQuery(bulkPreviewOptions('deploy', selection, undefined));
  // Whose title says how many.
  if (!data && !isError) return null;
  return (
    <BulkDialog
      action="deploy"
      selection={selection}
      count={data ? countChanged(data) : 0}
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onStarted={onStarted}
    />
  );
}
