import type { PluginArea } from '@cordon/plugin-kit';
import {
  FileWarning,
  Layers,
  type LucideIcon,
  Server,
  ShieldCheck,
  TableProperties,
  UserRoundCheck,
} from 'lucide-react';

/** What the plugins of an area are known by. */
export const AREA_ICONS: Record<PluginArea, LucideIcon> = {
  upstreams: Server,
  caching: Layers,
  access: UserRoundCheck,
  protection: ShieldCheck,
  headers: TableProperties,
  'error-pages': FileWarning,
};
