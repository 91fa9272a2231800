import type { healthOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { HealthService } from './service.ts';

export const createHealthHandlers = (
  health: Pick<HealthService, 'readAccount'>,
): Handlers<typeof healthOperations> => ({
  getAccountHealth: ({ actor }) => health.readAccount(actor.accountId),
});
