import { Outlet } from '@tanstack/react-router';

/** A plain outlet for the routed screens. */
export function RootView() {
  return <Outlet />;
}
