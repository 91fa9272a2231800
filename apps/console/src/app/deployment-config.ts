import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client';
import { appKeys } from './keys';

export const deploymentConfigOptions = queryOptions({
  queryKey: appKeys.deploymentConfig(),
  queryFn: async ({ signal }) => (await api.getDeploymentConfig({ signal })).result,
  staleTime: Number.POSITIVE_INFINITY,
});
