import { FileUp, Gauge, Globe, LayoutTemplate, type LucideIcon, ShieldBan } from 'lucide-react';

/** One line of the sidebar. Only screens that are built are here. */
export interface NavigationItem {
  to: '/dashboard' | '/domain/list' | '/domain/rules' | '/domain/import' | '/manage-ip';
  message: 'dashboard' | 'domains' | 'rules' | 'domainImport' | 'manageIp';
  icon: LucideIcon;
  hiddenInWhiteLabel?: boolean;
}

export interface NavigationGroup {
  message: 'delivery' | 'security' | null;
  items: readonly NavigationItem[];
}

/** The sidebar, by area. */
export const navigation: readonly NavigationGroup[] = [
  { message: null, items: [{ to: '/dashboard', message: 'dashboard', icon: Gauge }] },
  {
    message: 'delivery',
    items: [
      { to: '/domain/list', message: 'domains', icon: Globe },
      { to: '/domain/rules', message: 'rules', icon: LayoutTemplate },
      { to: '/domain/import', message: 'domainImport', icon: FileUp },
    ],
  },
  { message: 'security', items: [{ to: '/manage-ip', message: 'manageIp', icon: ShieldBan }] },
];
