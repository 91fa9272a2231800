import { importOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { BatchService } from '../batches/service.ts';
import type { CreateService } from '../domains/service.ts';
import type { GroupService } from '../groups/service.ts';
import { createImportHandlers } from './handlers.ts';
import { createImportCheck, type ImportCheckParts } from './import-check.ts';
import { createImportKind } from './import-kind.ts';
import { createImportService } from './service.ts';

export interface ImportsModuleOptions extends Omit<ImportCheckParts, 'db' | 'egress'> {
  readonly platform: Platform;
  readonly groups: GroupService;
  readonly batches: BatchService;
  readonly creates: CreateService;
}

export function createImportsModule({ platform, batches, creates, ...parts }: ImportsModuleOptions): ApiModule {
  const { db, egress } = platform;
  const check = createImportCheck({ db, egress, ...parts });
  batches.register(createImportKind(creates, parts.groups));
  const imports = createImportService({ db, check, batches });
  return { mount: (_app, mount) => mount(importOperations, createImportHandlers(imports)) };
}
