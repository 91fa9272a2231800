import { getRouteApi } from '@tanstack/react-router';
import { ImportScreen } from '../features/imports/import-screen';

const route = getRouteApi('/shell/domain/import');

/** `/domain/import`: the URL holds the import that is shown. */
export function DomainImportScreen() {
  const { batch } = route.useSearch();
  const navigate = route.useNavigate();
  return <ImportScreen batchId={batch} onBatchChange={(id) => void navigate({ search: id ? { batch: id } : {} })} />;
}
