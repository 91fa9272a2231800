import type { GeneratedAlways } from 'kysely';

declare module '../../platform/database.ts' {
  interface Database {
    edge_zones: { id: GeneratedAlways<number>; name: string };
    name_servers: { position: number; name: string; addresses: string[] };
  }
}
